//! Which registers hold the state of emission, or name a stream.

use super::contents::{Content, contents};
use super::facts::{Cases, Facts, Held};
use super::{Streams, emission};
use crate::code::{Block, Graph, edges};
use crate::flow::{Flow, Mark};
use crate::guard::{self, When};
use crate::operand::{C, RZ, holds_always};
use crate::role::{AttributeAct, Memory, Role, Stream};
use crate::rules::code::{Code, Found};
use crate::{Chip, Ctx, Maxwell, REGISTERS, bundle};
use alloc::{format, string::String, vec::Vec};
use shisa_diag::Diagnostic;
use shisa_ir::Reg;
use shisa_rows::Insn;
use shisa_rows::code::{Analysis, Direction, solve};

/// The analysis of what is known of registers before each block.
struct States<'a> {
    graph: &'a Graph,
    blocks: &'a [Block],
    /// For each instruction the contents of what it writes.
    contents: &'a [Vec<(Reg, Content)>],
}

impl States<'_> {
    /// Passes the instructions of a block; `each` receives the facts before each of them.
    fn walk(&self, block: &Block, before: &Cases, mut each: impl FnMut(usize, &Cases)) -> Cases {
        let mut cases = before.clone();
        for i in block.insns.clone() {
            each(i, &cases);
            if let (Some(insn), Some(effects)) = (self.graph.insn(i), self.graph.effects(i)) {
                let contents = self.contents.get(i).map_or(&[][..], Vec::as_slice);
                cases = cases.after(guard::when(insn), &effects.writes, |facts| {
                    let before = *facts;
                    facts.forget(&effects.writes);
                    write(insn, contents, &before, facts);
                    if stores_locally(insn) {
                        // A value stored in local memory may be the state.
                        let loaded = (0..RZ).filter(|n| effects.writes.has(*n));
                        loaded.for_each(|n| facts.add(n, Held { state: true, ..Held::UNKNOWN }));
                    }
                });
            }
        }
        cases
    }
}

/// Adds what registers hold after an instruction.
fn write(insn: &Insn<Maxwell>, contents: &[(Reg, Content)], before: &Facts, facts: &mut Facts) {
    if let Some(out) = emission(insn) {
        return facts.emit(out.next);
    }
    let get = |reg: Reg| match reg.file {
        REGISTERS => before.get(reg.unit.into()),
        _ => Held::UNKNOWN,
    };
    for (reg, content) in contents.iter().filter(|(reg, _)| reg.file == REGISTERS) {
        let held = match *content {
            Content::Number(number) => Held::number(number),
            Content::Register(from) => get(from),
            Content::Either(a, b) => get(a).or(get(b)),
            Content::Unknown => continue,
        };
        facts.add(reg.unit.into(), held);
    }
}

/// Whether an instruction accesses local memory.
fn stores_locally(insn: &Insn<Maxwell>) -> bool {
    matches!(insn.form().attr.role, Role::Memory(access) if matches!(access.memory, Memory::Local { .. }))
}

impl Analysis for States<'_> {
    type State = Cases;

    fn pass(&mut self, at: usize, before: &Cases) -> Cases {
        self.blocks.get(at).map_or_else(|| before.clone(), |block| self.walk(block, before, |_, _| ()))
    }

    fn along(&mut self, from: usize, to: usize, cases: &Cases) -> Cases {
        let known = || {
            let block = self.blocks.get(from)?;
            let outcome = block.ways.iter().find(|way| way.to == to)?.when?;
            let insn = self.graph.insn(block.insns.end - 1)?;
            match guard::when(insn) {
                When::If(predicate, value) if outcome || holds_always(insn) => {
                    Some(Cases::all(cases.where_run(When::If(predicate, value == outcome))))
                }
                _ => None,
            }
        };
        known().unwrap_or_else(|| cases.clone())
    }

    fn join(&mut self, _: usize, cases: &mut Cases, other: &Cases) -> bool {
        let joined = cases.or(other);
        let changed = joined != *cases;
        *cases = joined;
        changed
    }
}

/// Passes each instruction that may run, with what is known before it. Returns whether the analysis settled.
fn follow(graph: &Graph, chip: Chip, mut each: impl FnMut(usize, &Insn<Maxwell>, &Facts)) -> bool {
    let blocks = graph.blocks();
    let of = |i: usize| {
        let ctx = Ctx { chip, pc: bundle::address(i as u32), ..Ctx::default() };
        graph.insn(i).map_or_else(Vec::new, |insn| contents(insn, ctx, |_| None))
    };
    let all: Vec<_> = (0..graph.len()).map(of).collect();
    let mut states = States { graph, blocks: &blocks, contents: &all };
    // What is known can only shrink, in two cases.
    let fuel = blocks.len() as u64 * (2 * Facts::HEIGHT + 1);
    let start = [(0, Cases::all(Facts::initial()))];
    let Ok(before) = solve(&edges(&blocks), Direction::Forwards, start, &mut states, fuel) else {
        return false;
    };
    for (block, before) in blocks.iter().zip(&before) {
        let Some(before) = before else { continue };
        states.walk(block, before, |i, cases| {
            if let Some(insn) = graph.insn(i) {
                each(i, insn, &cases.where_run(guard::when(insn)));
            }
        });
    }
    true
}

/// Reports where the state of emission is missing; returns the streams of emissions.
pub(super) fn check(code: &Code<'_>, found: &mut Found<'_>) -> Streams {
    let mut streams = Streams::new();
    let settled = follow(&code.graph, code.chip, |i, insn, facts| {
        streams.extend(stream(insn, facts).map(|stream| (i, stream)));
        missing(&code.graph, i, insn, facts).into_iter().for_each(|d| found.at(i, d));
    });
    if !settled {
        found.internal(0, "which registers hold the state of emission");
    }
    streams
}

/// Instructions that may need the state of emission where it is missing, each with the finding.
pub(crate) fn without_state(graph: &Graph) -> Vec<(usize, Diagnostic)> {
    let mut all = Vec::new();
    let settled = follow(graph, Chip::default(), |i, insn, facts| {
        all.extend(missing(graph, i, insn, facts).map(|d| (i, d)));
    });
    if !settled {
        let text = "the registers with the state of emission were not found: the analysis did not settle";
        all.push((0, Diagnostic::internal("internal-analysis", text)));
    }
    all
}

/// The stream of an instruction that emits, if it is known.
fn stream(insn: &Insn<Maxwell>, facts: &Facts) -> Option<u64> {
    match emission(insn)?.stream {
        Stream::Number(number) => Held::number(number).stream,
        Stream::Register(register) => facts.get(register).stream,
        Stream::Constant => None,
    }
}

/// The finding about an instruction that needs the state where it is missing.
fn missing(graph: &Graph, i: usize, insn: &Insn<Maxwell>, facts: &Facts) -> Option<Diagnostic> {
    let lacks = |register: u64| !facts.get(register).state;
    match insn.form().attr.role {
        Role::Emit(of) if lacks(of(insn).state) => {
            let text = format!("{} does not hold the state that the last OUT wrote", name(of(insn).state));
            let help = "the state is 0 at first; each OUT takes what the one before it wrote";
            Some(Diagnostic::error("maxwell-out-state", text).help(help))
        }
        Role::Attribute(access) if matches!(access.act, AttributeAct::Store) && lacks(insn.field(C)) => {
            let text = format!("{} does not hold the state of emission", name(insn.field(C)));
            let help = "the last operand of AST is the register that the last OUT wrote";
            Some(Diagnostic::error("maxwell-out-store", text).help(help))
        }
        _ if graph.flow(i) == Some(Flow::Pop(Mark::Exit)) && lacks(0) => {
            let text = "the program may end here, and R0 does not hold the state of emission";
            let help = "let OUT write R0, and set R0 to 0 before the first one";
            Some(Diagnostic::error("maxwell-out-exit", text).help(help))
        }
        _ => None,
    }
}

fn name(register: u64) -> String {
    if register == RZ { "RZ".into() } else { format!("R{register}") }
}
