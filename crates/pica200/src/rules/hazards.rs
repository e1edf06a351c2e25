//! Cases that freeze the hardware, or output values that nothing computed: outputs, address registers, registers that
//! were never written, vertices.

use super::history::{Histories, History};
use super::names::listed;
use super::program::Program;
use super::{Finding, Found, Rule, Subject, codes};
use crate::attributes::Role;
use crate::code::STATE;
use alloc::collections::{BTreeMap, BTreeSet, VecDeque};
use alloc::{format, string::String, vec, vec::Vec};
use shisa_rows::code::{Graph, OutOfFuel};

/// # Errors
/// [`OutOfFuel`] if the state does not settle; the states have too few bits for that.
pub(super) fn check(program: &Program<'_>, found: &mut Found) -> Result<(), OutOfFuel> {
    let (code, nodes, geometry) = (program.code, &program.walk.nodes[..], program.geometry);
    let mut analysis = Histories { code, nodes, geometry };
    let histories = program.walk.forwards(History::default(), &mut analysis, Histories::HEIGHT)?;
    let paths = Paths { program, histories, before: program.walk.graph.reversed() };
    outputs_twice(&paths, found);
    if program.geometry {
        emits(&paths, found);
    } else {
        outputs_missing(&paths, found);
    }
    adjacent_mova(&paths, found);
    unwritten(&paths, found);
    Ok(())
}

/// How many nodes before a finding are searched for another word to point at.
const SEARCHED: usize = 4096;

/// The paths through a program with the state on them.
struct Paths<'a> {
    program: &'a Program<'a>,
    histories: Vec<Option<History>>,
    /// The edges from each node to those before it.
    before: Graph,
}

impl Paths<'_> {
    /// The nodes that are words: number, word, state before it.
    fn nodes(&self) -> impl Iterator<Item = (usize, u32, &History)> {
        let known = self.program.walk.nodes.iter().zip(&self.histories).enumerate();
        let words = known.filter(|(_, (pc, _))| (**pc as usize) < self.program.code.len());
        words.filter_map(|(i, (pc, history))| Some((i, *pc, history.as_ref()?)))
    }

    /// The nearest word before a node for which `wanted` holds; paths end where `stop` holds.
    fn earlier(&self, node: usize, wanted: impl Fn(u32) -> bool, stop: impl Fn(u32) -> bool) -> Option<u32> {
        let mut visited = BTreeSet::new();
        let mut todo: VecDeque<usize> = self.before.next(node).collect();
        while let Some(i) = todo.pop_front() {
            if !visited.insert(i) || visited.len() > SEARCHED {
                continue;
            }
            let pc = *self.program.walk.nodes.get(i)?;
            if wanted(pc) {
                return Some(pc);
            }
            if !stop(pc) {
                todo.extend(self.before.next(i));
            }
        }
        None
    }
}

/// A breach of the rule that each component of an output is written exactly once.
fn once(rule: Rule, subject: Subject, message: String) -> Finding {
    let doubt = "by 3dbrew's list of GPU pitfalls the hardware freezes; released software does it, too";
    Finding::new(rule, subject, message).note(doubt)
}

fn outputs_twice(paths: &Paths<'_>, found: &mut Found) {
    let (code, enabled) = (paths.program.code, paths.program.enabled);
    let mut twices = BTreeMap::new();
    for (i, pc, history) in paths.nodes() {
        let twice = code.writes(pc).outputs & history.outputs_some & enabled;
        if twice != 0 {
            let (_, all) = twices.entry(pc).or_insert((i, 0));
            *all |= twice;
        }
    }
    for (pc, (node, twice)) in twices {
        let emits = |p| code.role(p) == Some(Role::Emit);
        let first = paths.earlier(node, |p| code.writes(p).outputs & twice != 0, emits);
        let message = format!("{} is written a second time", listed('o', twice));
        let finding = once(codes::OUTPUT_TWICE, Subject::Word(pc), message);
        found.push(match first {
            Some(first) if first == pc => finding.note("this word runs more than once"),
            Some(first) => finding.with(Subject::Word(first), "written before"),
            None => finding,
        });
    }
}

/// Components that some path to an end leaves unwritten.
fn outputs_missing(paths: &Paths<'_>, found: &mut Found) {
    let program = paths.program;
    let ever = program.used().writes.outputs;
    let mut missing: Vec<(u32, u64)> = Vec::new();
    for (_, pc, history) in paths.nodes().filter(|(_, pc, _)| program.code.role(*pc) == Some(Role::End)) {
        missing.push((pc, program.enabled & !history.outputs_all));
    }
    let all = missing.iter().fold(0, |all, (_, m)| all | m);
    for (subject, part) in entries(program) {
        let (never, sometimes) = (all & part & !ever, all & part & ever);
        if never != 0 {
            let message = format!("{} is an output and never written", listed('o', never));
            found.push(once(codes::OUTPUT_MISSING, subject, message));
        } else if sometimes != 0 {
            let message = format!("{} is not written on every path", listed('o', sometimes));
            let finding = once(codes::OUTPUT_MISSING, subject, message);
            let end = missing.iter().find(|(_, m)| m & sometimes != 0);
            found.push(
                end.map_or(finding.clone(), |(pc, _)| finding.with(Subject::Word(*pc), "not written here")),
            );
        }
    }
}

/// The entries of the output table with their components, or the mask.
fn entries(program: &Program<'_>) -> Vec<(Subject, u64)> {
    if program.dvle.outputs.is_empty() {
        return vec![(Subject::OutputMask, program.enabled)];
    }
    let table = (0u32..).zip(&program.dvle.outputs).filter(|(_, o)| o.register < 16);
    table.map(|(i, o)| (Subject::Output(i), u64::from(o.mask & 15) << (4 * o.register))).collect()
}

/// Vertices that geometry programs output.
fn emits(paths: &Paths<'_>, found: &mut Found) {
    let program = paths.program;
    let ever = program.used().writes.outputs;
    for (subject, part) in entries(program) {
        let never = part & !ever;
        if never != 0 {
            let message = format!("{} is an output and never written", listed('o', never));
            found.push(once(codes::OUTPUT_MISSING, subject, message));
        }
    }
    let mut stale: BTreeMap<u32, u64> = BTreeMap::new();
    let mut early = BTreeSet::new();
    let mut triangle = false;
    let emit = |pc| program.code.role(pc) == Some(Role::Emit);
    for (_, pc, history) in paths.nodes().filter(|(_, pc, _)| emit(*pc)) {
        *stale.entry(pc).or_default() |= program.enabled & ever & !history.outputs_all;
        triangle |= history.primitive;
        if !history.set_emit {
            early.insert(pc);
        }
    }
    for (pc, stale) in stale.into_iter().filter(|(_, stale)| *stale != 0) {
        let message = format!("{} has its value of two emits before", listed('o', stale));
        found.push(Finding::new(codes::OUTPUT_KEPT, Subject::Word(pc), message));
    }
    for pc in early {
        let message = "no vertex slot is selected when this emit runs";
        found.push(Finding::new(codes::EMIT_WITHOUT_SETEMIT, Subject::Word(pc), message));
    }
    if !triangle && program.walk.complete {
        let emission = |pc| matches!(program.code.role(pc), Some(Role::Emit | Role::SetEmit));
        let first = program.words().find(|w| emission(w.pc)).map_or(Subject::Entry, |w| Subject::Word(w.pc));
        found.push(Finding::new(codes::NO_PRIMITIVE, first, "no triangle is ever completed"));
    }
}

fn adjacent_mova(paths: &Paths<'_>, found: &mut Found) {
    let mova = |pc: u32| paths.program.code.role(pc) == Some(Role::Address);
    let mut found_at = BTreeSet::new();
    for (i, pc, history) in paths.nodes() {
        if history.address && mova(pc) && found_at.insert(pc) {
            let name = paths.program.code.name(pc);
            let message = format!("{name} runs directly after {name}");
            let finding = Finding::new(codes::ADJACENT_MOVA, Subject::Word(pc), message);
            let first = paths.earlier(i, mova, |p| !mova(p));
            found.push(match first {
                Some(first) if first != pc => finding.with(Subject::Word(first), "the one before"),
                _ => finding.note("this word runs twice in a row"),
            });
        }
    }
}

/// Registers that are read but never written. In geometry programs an earlier run may have written them.
fn unwritten(paths: &Paths<'_>, found: &mut Found) {
    let program = paths.program;
    let (ever, ever_state) = match program.geometry {
        true => (program.used().writes.temporaries, program.used().writes.state),
        false => (0, 0),
    };
    let mut unwritten: BTreeMap<u32, (u64, u8)> = BTreeMap::new();
    for (_, pc, history) in paths.nodes() {
        let reads = program.code.reads(pc);
        let temporaries = reads.temporaries & !history.temporaries & !ever;
        let state = reads.state & !history.state & !ever_state;
        if temporaries != 0 || state != 0 {
            let all = unwritten.entry(pc).or_default();
            *all = (all.0 | temporaries, all.1 | state);
        }
    }
    for (pc, (temporaries, state)) in unwritten {
        let mut names: Vec<String> = Vec::new();
        if temporaries != 0 {
            names.push(listed('r', temporaries));
        }
        names.extend(STATE.iter().enumerate().filter(|(i, _)| state >> i & 1 != 0).map(|(_, n)| (*n).into()));
        let message = format!("{} is read, but no path writes it before", names.join(", "));
        found.push(Finding::new(codes::READ_BEFORE_WRITE, Subject::Word(pc), message));
    }
}
