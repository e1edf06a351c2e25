//! What freezes the machine, or hands on values that nobody computed: outputs, `mova`, registers never
//! written, vertices.

use super::effects::STATE;
use super::facts::{Past, pasts};
use super::seen::{Seen, components};
use super::walk::Node;
use super::{Finding, Found, Subject, codes};
use crate::sequencer::END;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::{format, string::String, vec, vec::Vec};
use shisa_diag::Severity;

pub(super) fn check(seen: &Seen<'_>, found: &mut Found) {
    let ways = Ways { seen, pasts: pasts(seen.walk, seen.code, seen.geometry), before: seen.walk.before() };
    outputs_twice(&ways, found);
    if seen.geometry {
        emits(&ways, found);
    } else {
        outputs_missing(&ways, found);
    }
    adjacent_mova(&ways, found);
    unwritten(&ways, found);
}

/// How many nodes before a finding are searched for another word to point at.
const SEARCHED: usize = 4096;

/// The ways through a program with what is known on them.
struct Ways<'a> {
    seen: &'a Seen<'a>,
    pasts: Vec<Past>,
    before: Vec<Vec<u32>>,
}

impl Ways<'_> {
    fn nodes(&self) -> impl Iterator<Item = (usize, &Node, &Past)> {
        self.seen.nodes().map(|(i, n)| (i, n, &self.pasts[i]))
    }

    /// The nearest word before a node that `wanted` holds for; ways end where `stop` holds.
    fn earlier(&self, node: usize, wanted: impl Fn(u32) -> bool, stop: impl Fn(u32) -> bool) -> Option<u32> {
        let mut visited = BTreeSet::new();
        let mut todo: alloc::collections::VecDeque<u32> = self.before[node].iter().copied().collect();
        while let Some(i) = todo.pop_front() {
            if !visited.insert(i) || visited.len() > SEARCHED {
                continue;
            }
            let before = &self.seen.walk.nodes[i as usize];
            if !before.implied {
                if wanted(before.pc) {
                    return Some(before.pc);
                }
                if stop(before.pc) {
                    continue;
                }
            }
            todo.extend(&self.before[i as usize]);
        }
        None
    }
}

fn outputs_twice(ways: &Ways<'_>, found: &mut Found) {
    let (code, enabled) = (ways.seen.code, ways.seen.enabled);
    let mut told = BTreeMap::new();
    for (i, node, past) in ways.nodes() {
        let twice = code.effects(node.pc).outputs & past.outputs_some & enabled;
        if twice != 0 {
            let (_, all) = told.entry(node.pc).or_insert((i, 0));
            *all |= twice;
        }
    }
    for (pc, (node, twice)) in told {
        let first = ways.earlier(node, |p| code.effects(p).outputs & twice != 0, |p| code.effects(p).emit);
        let message = format!("{} is written a second time", components('o', twice));
        let finding = Finding::new(codes::OUTPUT_TWICE, Subject::Word(pc), message);
        found.push(match first {
            Some(first) if first == pc => finding.note("this word runs more than once"),
            Some(first) => finding.with(Subject::Word(first), "written before"),
            None => finding,
        });
    }
}

/// Components that some way to an end leaves unwritten.
fn outputs_missing(ways: &Ways<'_>, found: &mut Found) {
    let seen = ways.seen;
    let ever = seen.words().fold(0, |all, (.., effects)| all | effects.outputs);
    let mut missing: Vec<(u32, u64)> = Vec::new();
    for (_, node, past) in ways.nodes().filter(|(_, n, _)| seen.code.control(n.pc).op == END) {
        missing.push((node.pc, seen.enabled & !past.outputs_all));
    }
    let all = missing.iter().fold(0, |all, (_, m)| all | m);
    for (subject, part) in entries(seen) {
        let (never, sometimes) = (all & part & !ever, all & part & ever);
        if never != 0 {
            let message = format!("{} is an output and never written", components('o', never));
            found.push(Finding::new(codes::OUTPUT_MISSING, subject, message));
        } else if sometimes != 0 {
            let message = format!("{} is not written on every way", components('o', sometimes));
            let finding = Finding::new(codes::OUTPUT_MISSING, subject, message);
            let end = missing.iter().find(|(_, m)| m & sometimes != 0);
            found.push(
                end.map_or(finding.clone(), |(pc, _)| finding.with(Subject::Word(*pc), "not written here")),
            );
        }
    }
}

/// The entries of the output table with their components, or the mask.
fn entries(seen: &Seen<'_>) -> Vec<(Subject, u64)> {
    if seen.dvle.outputs.is_empty() {
        return vec![(Subject::OutputMask, seen.enabled)];
    }
    let table = (0u32..).zip(&seen.dvle.outputs).filter(|(_, o)| o.register < 16);
    table.map(|(i, o)| (Subject::Output(i), u64::from(o.mask & 15) << (4 * o.register))).collect()
}

/// Vertices that geometry programs put out.
fn emits(ways: &Ways<'_>, found: &mut Found) {
    let seen = ways.seen;
    let ever = seen.words().fold(0, |all, (.., effects)| all | effects.outputs);
    for (subject, part) in entries(seen) {
        let never = part & !ever;
        if never != 0 {
            let message = format!("{} is an output and never written", components('o', never));
            found.push(Finding::new(codes::OUTPUT_MISSING, subject, message).severity(Severity::Warning));
        }
    }
    let mut kept: BTreeMap<u32, u64> = BTreeMap::new();
    let mut early = BTreeSet::new();
    let mut triangle = false;
    for (_, node, past) in ways.nodes().filter(|(_, n, _)| seen.code.effects(n.pc).emit) {
        *kept.entry(node.pc).or_default() |= seen.enabled & ever & !past.outputs_all;
        triangle |= past.primitive;
        if !past.setemit {
            early.insert(node.pc);
        }
    }
    for (pc, kept) in kept.into_iter().filter(|(_, kept)| *kept != 0) {
        let message = format!("{} keeps what it had two emits before", components('o', kept));
        found.push(Finding::new(codes::OUTPUT_KEPT, Subject::Word(pc), message));
    }
    for pc in early {
        let message = "no vertex slot is chosen when this emit runs";
        found.push(Finding::new(codes::EMIT_WITHOUT_SETEMIT, Subject::Word(pc), message));
    }
    if !triangle && !seen.walk.incomplete {
        let chooses = |e: &super::effects::Effects| e.setemit.is_some() || e.emit;
        let first =
            seen.words().find(|(.., e)| chooses(e)).map_or(Subject::Entry, |(pc, ..)| Subject::Word(pc));
        found.push(Finding::new(codes::NO_PRIMITIVE, first, "no triangle is ever completed"));
    }
}

fn adjacent_mova(ways: &Ways<'_>, found: &mut Found) {
    let mova = |pc: u32| ways.seen.code.name(pc) == "mova";
    let mut told = BTreeSet::new();
    for (i, node, past) in ways.nodes() {
        if past.mova && mova(node.pc) && told.insert(node.pc) {
            let finding =
                Finding::new(codes::ADJACENT_MOVA, Subject::Word(node.pc), "mova runs right behind mova");
            let first = ways.earlier(i, mova, |p| !mova(p));
            found.push(match first {
                Some(first) if first != node.pc => finding.with(Subject::Word(first), "the one before"),
                _ => finding.note("this word runs twice in a row"),
            });
        }
    }
}

/// Registers read that nobody has written. In geometry programs an earlier run may have.
fn unwritten(ways: &Ways<'_>, found: &mut Found) {
    let seen = ways.seen;
    let (ever, ever_state) = match seen.geometry {
        true => seen.words().fold((0, 0), |(t, s), (.., e)| (t | e.sets, s | e.state_written)),
        false => (0, 0),
    };
    let mut told: BTreeMap<u32, (u64, u8)> = BTreeMap::new();
    for (_, node, past) in ways.nodes() {
        let effects = seen.code.effects(node.pc);
        let temporaries = effects.temporaries & !past.temporaries & !ever;
        let state = effects.state_read & !past.state & !ever_state;
        if temporaries != 0 || state != 0 {
            let all = told.entry(node.pc).or_default();
            *all = (all.0 | temporaries, all.1 | state);
        }
    }
    for (pc, (temporaries, state)) in told {
        let mut names: Vec<String> = Vec::new();
        if temporaries != 0 {
            names.push(components('r', temporaries));
        }
        names.extend(STATE.iter().enumerate().filter(|(i, _)| state >> i & 1 != 0).map(|(_, n)| (*n).into()));
        let message = format!("{} is read, but nothing has written it before", names.join(", "));
        found.push(Finding::new(codes::READ_BEFORE_WRITE, Subject::Word(pc), message));
    }
}
