//! Vertices past the maximum that the header allows, whatever path is taken.

use super::contents::{Content, contents};
use super::{VERTICES, emission};
use crate::guard::{self, When};
use crate::operand::holds_always;
use crate::rules::code::{Code, Found};
use crate::{Ctx, PREDICATES, REGISTERS, Set, bundle};
use alloc::collections::{BTreeMap, BTreeSet, VecDeque};
use alloc::{format, vec, vec::Vec};
use shisa_diag::Diagnostic;
use shisa_ir::Reg;

/// The most instructions that the search with known numbers passes. Past them it only knows that the rest comes after
/// the vertices that it has counted.
const STEPS: usize = 1 << 16;
/// The most registers whose numbers it follows.
const FOLLOWED: usize = 32;

/// Numbers that registers hold.
type Numbers = BTreeMap<Reg, u64>;

pub(super) fn check(code: &Code<'_>, most: u32, found: &mut Found<'_>) {
    if !code.graph.is_complete() {
        return;
    }
    let emits = |i: usize| code.graph.insn(i).and_then(emission).is_some_and(|out| out.emits);
    let fewest = fewest(code, emits);
    let searched = Search::new(code, most).map(|search| search.run(emits));
    for (i, _) in code.insns().filter(|(i, _)| emits(*i)) {
        let Some(&before) = fewest.get(i).filter(|before| **before != u32::MAX) else { continue };
        let counted = searched.as_ref().map_or(Some(0), |searched| searched.before(i));
        if let Some(before) = counted.map(|counted| before.max(counted)).filter(|before| *before >= most) {
            let text = format!(
                "at least {before} vertices come before this one and the header allows {most}, so it is dropped"
            );
            found.against(i, VERTICES, Diagnostic::warning("maxwell-out-vertices", text));
        }
    }
}

/// The fewest vertices before each instruction on any path of the graph. Instructions with fewer are taken first, so
/// each is taken once or, where a path with one vertex less comes later, twice.
fn fewest(code: &Code<'_>, emits: impl Fn(usize) -> bool) -> Vec<u32> {
    let always = |i: usize| code.graph.insn(i).is_some_and(guard::always);
    let mut fewest = vec![u32::MAX; code.graph.len()];
    let mut open = VecDeque::new();
    if let Some(first) = fewest.first_mut() {
        *first = 0;
        open.push_back(0);
    }
    while let Some(i) = open.pop_front() {
        let more = u32::from(emits(i) && always(i));
        let after = fewest.get(i).map_or(0, |count| count + more);
        for next in code.graph.next(i) {
            if let Some(old) = fewest.get_mut(next).filter(|old| **old > after) {
                *old = after;
                if more == 0 { open.push_front(next) } else { open.push_back(next) }
            }
        }
    }
    fewest
}

/// The search for the fewest vertices on paths that the numbers in registers permit, such as the iterations of a loop
/// that counts from a number to a number.
struct Search<'a> {
    code: &'a Code<'a>,
    most: u32,
    /// The registers on which branches and guards of emissions depend.
    followed: Set,
    /// The fewest vertices before each emission.
    fewest: BTreeMap<usize, u32>,
    /// Positions with the numbers there, by the vertices before them.
    open: BTreeMap<u32, VecDeque<(usize, Numbers)>>,
    /// The vertices before everything that the search has not reached; `None` if it has reached all that can run.
    rest: Option<u32>,
}

impl<'a> Search<'a> {
    /// `None` if branches depend on too many registers.
    fn new(code: &'a Code<'a>, most: u32) -> Option<Search<'a>> {
        let mut followed = Set::default();
        for (i, insn) in code.insns() {
            if emission(insn).is_some() || code.graph.next(i).len() > 1 {
                followed = code.graph.effects(i).map_or(followed, |effects| followed.or(&effects.guard));
            }
        }
        let mut count = usize::MAX;
        while followed.len() != count && followed.len() <= FOLLOWED {
            count = followed.len();
            for (i, _) in code.insns() {
                let effects =
                    code.graph.effects(i).filter(|effects| !effects.writes.and(&followed).is_empty());
                followed = effects.map_or(followed, |effects| followed.or(&effects.reads));
            }
        }
        let open = BTreeMap::from([(0, VecDeque::from([(0, Numbers::new())]))]);
        let fewest = BTreeMap::new();
        (followed.len() <= FOLLOWED).then_some(Search { code, most, followed, fewest, open, rest: None })
    }

    fn run(mut self, emits: impl Fn(usize) -> bool) -> Search<'a> {
        let mut passed = BTreeSet::new();
        let mut steps = 0;
        while let Some(mut level) = self.open.first_entry() {
            let count = *level.key();
            let Some((at, numbers)) = level.get_mut().pop_front() else {
                level.remove();
                continue;
            };
            if steps >= STEPS {
                self.rest = Some(count);
                break;
            }
            steps += 1;
            if passed.insert((at, numbers.clone())) {
                self.pass(at, count, numbers, &emits);
            }
        }
        self
    }

    /// The fewest vertices before an emission; `None` if it cannot run.
    fn before(&self, i: usize) -> Option<u32> {
        self.fewest.get(&i).copied().or(self.rest)
    }

    /// Passes an instruction.
    fn pass(&mut self, at: usize, count: u32, mut numbers: Numbers, emits: &impl Fn(usize) -> bool) {
        let graph = &self.code.graph;
        let (Some(insn), Some(effects)) = (graph.insn(at), graph.effects(at)) else { return };
        let runs = match guard::when(insn) {
            When::Always => Some(true),
            When::Never => Some(false),
            When::If(predicate, value) => {
                numbers.get(&Reg::new(PREDICATES, predicate)).map(|held| (*held != 0) == value)
            }
        };
        let mut after = count;
        if emits(at) && runs != Some(false) {
            let fewest = self.fewest.entry(at).or_insert(count);
            *fewest = count.min(*fewest);
            after = self.most.min(count + u32::from(runs == Some(true)));
        }
        if runs != Some(false) && !effects.writes.and(&self.followed).is_empty() {
            let ctx = Ctx { chip: self.code.chip, pc: bundle::address(at as u32), ..Ctx::default() };
            let contents = contents(insn, ctx, |reg| numbers.get(&reg).copied());
            numbers.retain(|reg, _| !has(&effects.writes, *reg));
            for (reg, content) in contents {
                if let Content::Number(number) = content
                    && runs == Some(true)
                    && has(&self.followed, reg)
                {
                    numbers.insert(reg, number);
                }
            }
        }
        for next in graph.next(at) {
            let taken = graph.when(at, next);
            let never = match runs {
                Some(true) => taken == Some(false) && holds_always(insn),
                Some(false) => taken == Some(true),
                None => false,
            };
            if !never {
                self.open.entry(after).or_default().push_back((next, numbers.clone()));
            }
        }
    }
}

/// Whether a set has a register or a predicate.
fn has(set: &Set, reg: Reg) -> bool {
    match reg.file {
        REGISTERS => set.has(reg.unit.into()),
        PREDICATES => set.has_predicate(reg.unit),
        _ => false,
    }
}
