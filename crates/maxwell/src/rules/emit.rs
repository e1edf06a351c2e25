//! Emission of vertices in geometry programs.
//!
//! `OUT` reads the state of emission from one register and writes the next state to another. A regular program starts
//! with state 0, has the state in `R0` wherever a thread may end, and passes it unchanged to `AST`. The rules follow
//! on all paths which registers hold the state that the last `OUT` wrote. In fast programs `OUT` does nothing.

use super::code::{Code, Found};
use crate::flow::{Flow, Mark};
use crate::operand::{C, RZ};
use crate::role::{AttributeAct, Copied, Emission, Memory, Role, Stream};
use crate::{Maxwell, ShaderStage, guard};
use alloc::{collections::VecDeque, format, string::String, vec};
use shisa_diag::{Diagnostic, Severity};
use shisa_rows::Insn;
use shisa_rows::code::{Analysis, Direction, solve};

/// The field of streams that receive vertices.
const MASK: &str = "StreamOutMask";
/// The field with the largest number of vertices that a program may emit.
const VERTICES: &str = "MaxOutputVertexCount";
/// The topology of points, for which cuts have no effect.
const POINTS: u32 = 1;
/// The significant bits of a stream's number.
const STREAM: u64 = 3;

pub(super) fn check(code: &Code<'_>, found: &mut Found<'_>) {
    let geometry = match code.stage {
        Some(stage) => stage == ShaderStage::Geometry,
        None => emissions(code).next().is_some(),
    };
    if !geometry {
        return;
    }
    let get = |name: &str| code.header.and_then(|h| h.get(name));
    if get("IsFastGs") == Some(1) {
        for (i, _) in emissions(code) {
            let text = "OUT does nothing in a fast geometry program";
            found.against(i, "IsFastGs", Diagnostic::new(Severity::Note, "maxwell-out-fast", text));
        }
        return;
    }
    for (i, out) in emissions(code) {
        operands(i, out, found);
        if let (Some(mask), Some(stream)) = (get(MASK), number(out).map(|n| n & STREAM).filter(|_| out.emits))
            && mask >> stream & 1 == 0
        {
            let text = format!("a vertex goes to stream {stream}, which {MASK} lacks");
            found.against(i, MASK, Diagnostic::warning("maxwell-out-stream-mask", text));
        }
    }
    states(code, found);
    if let Some(most) = get(VERTICES).filter(|most| *most > 0) {
        vertices(code, most, found);
    }
    if get("OutputTopology") != Some(POINTS) {
        streams(code, found);
    }
}

/// What an instruction does to the output, if it emits or cuts.
fn emission(insn: &Insn<Maxwell>) -> Option<Emission> {
    match insn.form().attr.role {
        Role::Emit(of) => Some(of(insn)),
        Role::Compute
        | Role::Copy(_)
        | Role::Memory(_)
        | Role::Drain(_)
        | Role::Barrier(_)
        | Role::ReadSpecial { .. }
        | Role::Attribute(_)
        | Role::Kill => None,
    }
}

/// The instructions that emit or cut.
fn emissions(code: &Code<'_>) -> impl Iterator<Item = (usize, Emission)> {
    code.insns().filter_map(|(i, insn)| Some((i, emission(insn)?)))
}

/// The number of the stream, if the instruction states it.
fn number(out: Emission) -> Option<u64> {
    match out.stream {
        Stream::Number(number) => Some(number),
        Stream::Register(register) => (register == RZ).then_some(0),
        Stream::Constant => None,
    }
}

/// Whether an instruction ends a strip and emits nothing.
fn only_cuts(out: Emission) -> bool {
    out.cuts && !out.emits
}

/// The operands and suffixes of one instruction.
fn operands(i: usize, out: Emission, found: &mut Found<'_>) {
    if !out.emits && !out.cuts {
        let text = "this OUT neither emits a vertex nor ends a strip";
        found.at(i, Diagnostic::error("maxwell-out-type", text));
    }
    if only_cuts(out) && out.stream != Stream::Register(RZ) {
        let text = "OUT.CUT names a stream; its last operand must be RZ";
        found.at(i, Diagnostic::error("maxwell-out-cut", text));
    }
    if let Some(number) = number(out).filter(|n| !only_cuts(out) && *n > STREAM) {
        let text = format!("stream {number:#x} does not exist; only two bits count: {}", number & STREAM);
        found.at(i, Diagnostic::warning("maxwell-out-stream", text));
    }
}

/// Registers that hold the state, including `RZ` while the state is 0. Bit n for `Rn`.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Holders([u64; 4]);

impl Holders {
    /// How many registers there can be.
    const COUNT: u64 = 256;

    fn has(&self, n: u64) -> bool {
        self.0[(n / 64) as usize & 3] >> (n % 64) & 1 != 0
    }

    fn set(&mut self, n: u64, holds: bool) {
        let (word, bit) = (&mut self.0[(n / 64) as usize & 3], 1 << (n % 64));
        *word = if holds { *word | bit } else { *word & !bit };
    }

    fn and(self, other: Holders) -> Holders {
        Holders(core::array::from_fn(|i| self.0[i] & other.0[i]))
    }
}

/// The analysis of which registers hold the state on all paths.
struct States<'a>(&'a Code<'a>);

impl Analysis for States<'_> {
    type State = Holders;

    fn pass(&mut self, at: usize, before: &Holders) -> Holders {
        let graph = &self.0.graph;
        let (Some(insn), Some(effects)) = (graph.insn(at), graph.effects(at)) else { return *before };
        let mut after = *before;
        if let Some(out) = emission(insn) {
            after = Holders([0; 4]);
            after.set(out.next, out.next != RZ);
        } else {
            let holds = copies_state(insn, *before);
            for n in (0..RZ).filter(|n| effects.writes.has(*n)) {
                after.set(n, holds);
            }
        }
        // If the guard is false, all registers are as before.
        if guard::always(insn) { after } else { after.and(*before) }
    }

    fn join(&mut self, _: usize, state: &mut Holders, other: &Holders) -> bool {
        let old = core::mem::replace(state, state.and(*other));
        *state != old
    }
}

/// Follows the state on all paths.
fn states(code: &Code<'_>, found: &mut Found<'_>) {
    let mut start = Holders([0; 4]);
    start.set(RZ, true);
    // A set can only shrink, by one register at a time.
    let fuel = code.words.len() as u64 * (Holders::COUNT + 1);
    let graph = &code.graph.code.graph;
    let Ok(before) = solve(graph, Direction::Forwards, [(0, start)], &mut States(code), fuel) else {
        return found.internal(0, "which registers hold the state of emission");
    };
    for (i, insn) in code.insns() {
        let Some(Some(holders)) = before.get(i) else { continue };
        match insn.form().attr.role {
            Role::Emit(of) if !holders.has(of(insn).state) => {
                let text =
                    format!("{} does not hold the state that the last OUT wrote", name(of(insn).state));
                let help = "the state is 0 at first; each OUT takes what the one before it wrote";
                found.at(i, Diagnostic::error("maxwell-out-state", text).help(help));
            }
            Role::Attribute(access)
                if matches!(access.act, AttributeAct::Store) && !holders.has(insn.field(C)) =>
            {
                let text = format!("{} does not hold the state of emission", name(insn.field(C)));
                let help = "the last operand of AST is the register that the last OUT wrote";
                found.at(i, Diagnostic::error("maxwell-out-store", text).help(help));
            }
            _ => {}
        }
        if code.flow(i) == Some(Flow::Pop(Mark::Exit)) && !holders.has(0) {
            let text = "the program may end here, and R0 does not hold the state of emission";
            let help = "let OUT write R0, and set R0 to 0 before the first one";
            found.at(i, Diagnostic::error("maxwell-out-exit", text).help(help));
        }
    }
}

/// Whether an instruction copies the state.
fn copies_state(insn: &Insn<Maxwell>, before: Holders) -> bool {
    match insn.form().attr.role {
        Role::Copy(of) => match of(insn) {
            Copied::Registers(sources) => sources.into_iter().all(|n| before.has(n)),
            Copied::Number(number) => number == 0 && before.has(RZ),
            Copied::Other => false,
        },
        // A value stored in local memory may be the state.
        Role::Memory(access) => matches!(access.memory, Memory::Local { .. }),
        Role::Compute
        | Role::Drain(_)
        | Role::Barrier(_)
        | Role::ReadSpecial { .. }
        | Role::Attribute(_)
        | Role::Emit(_)
        | Role::Kill => false,
    }
}

fn name(register: u64) -> String {
    if register == RZ { "RZ".into() } else { format!("R{register}") }
}

/// Vertices past the maximum that the header allows, on any path.
fn vertices(code: &Code<'_>, most: u32, found: &mut Found<'_>) {
    if !code.graph.is_complete() {
        return;
    }
    let emits = |insn: &Insn<Maxwell>| emission(insn).is_some_and(|out| out.emits);
    let emitted =
        |i: usize| u32::from(code.graph.insn(i).is_some_and(|insn| emits(insn) && guard::always(insn)));
    // The fewest vertices before each instruction: instructions with fewer are taken first, so each is taken once or,
    // where a path with one vertex less comes later, twice.
    let mut fewest = vec![u32::MAX; code.words.len()];
    let mut open = VecDeque::new();
    if let Some(first) = fewest.first_mut() {
        *first = 0;
        open.push_back(0);
    }
    while let Some(i) = open.pop_front() {
        let more = emitted(i);
        let after = fewest.get(i).map_or(0, |count| count + more);
        for next in code.graph.next(i) {
            if let Some(old) = fewest.get_mut(next).filter(|old| **old > after) {
                *old = after;
                if more == 0 { open.push_front(next) } else { open.push_back(next) }
            }
        }
    }
    for (i, _) in code.insns().filter(|(_, insn)| emits(insn)) {
        let Some(&before) = fewest.get(i).filter(|before| **before != u32::MAX) else { continue };
        if before >= most {
            let text = format!(
                "at least {before} vertices come before this one and the header allows {most}, so it is dropped"
            );
            found.against(i, VERTICES, Diagnostic::warning("maxwell-out-vertices", text));
        }
    }
}

/// The streams that the last vertex may have gone to, a bit each; none after a cut.
struct Streams<'a>(&'a Code<'a>);

impl Analysis for Streams<'_> {
    type State = u8;

    fn pass(&mut self, at: usize, before: &u8) -> u8 {
        let Some(insn) = self.0.graph.insn(at) else { return *before };
        let Some(out) = emission(insn) else { return *before };
        let after = match number(out).filter(|_| out.emits && !out.cuts) {
            Some(stream) => 1 << (stream & STREAM),
            None => 0,
        };
        if guard::always(insn) { after } else { after | before }
    }

    fn join(&mut self, _: usize, state: &mut u8, other: &u8) -> bool {
        let old = core::mem::replace(state, *state | other);
        *state != old
    }
}

/// Changes of the stream that end a strip without a cut.
fn streams(code: &Code<'_>, found: &mut Found<'_>) {
    // Where some paths are not known, any instruction may come first.
    let starts = (0..code.words.len()).map(|i| (i, 0));
    // A set of four streams can only grow.
    let fuel = code.words.len() as u64 * 5;
    let graph = &code.graph.code.graph;
    let Ok(before) = solve(graph, Direction::Forwards, starts, &mut Streams(code), fuel) else {
        return found.internal(0, "which streams vertices go to");
    };
    for (i, out) in emissions(code) {
        let Some(stream) = number(out).filter(|_| out.emits) else { continue };
        let Some(Some(before)) = before.get(i) else { continue };
        if before & !(1 << (stream & STREAM)) != 0 {
            let stream = stream & STREAM;
            let text = format!(
                "the vertex goes to stream {stream} and the one before it to another: that ends the strip"
            );
            found.at(i, Diagnostic::new(Severity::Note, "maxwell-out-stream-change", text));
        }
    }
}
