//! How geometry programs emit vertices.
//!
//! `OUT` takes the state of emission from one register and puts the next one into another. A regular program
//! starts it as 0, keeps it in `R0` wherever a thread may end, and hands it unchanged to `AST`. So it is
//! followed along all ways which registers hold the state as the last `OUT` left it. For fast programs `OUT`
//! does nothing.

use super::code::{Code, Found};
use crate::flow::{Flow, Mark};
use crate::operand::{A, B, C, D, N, RZ};
use crate::{Maxwell, ShaderStage, guard};
use alloc::{collections::VecDeque, format, vec, vec::Vec};
use shisa_diag::{Diagnostic, Severity};
use shisa_rows::{Field, Insn};

/// What `OUT` does: 0 is nothing valid, bit 0 emits, bit 1 cuts.
const TYPE: Field = Field::at(39, 2);
const EMIT: u64 = 1;
const CUT: u64 = 2;
/// The field of streams that vertices go to.
const MASK: &str = "StreamOutMask";
/// The field that says how many vertices a program emits at most.
const VERTICES: &str = "MaxOutputVertexCount";
/// The topology of points, where cuts mean nothing.
const POINTS: u32 = 1;

pub(super) fn check(code: &Code<'_>, found: &mut Found<'_>) {
    let emits = || code.insns().any(|(_, insn)| insn.form().name == "OUT");
    let geometry = match code.stage {
        Some(stage) => stage == ShaderStage::Geometry,
        None => emits(),
    };
    if !geometry {
        return;
    }
    let get = |name: &str| code.header.and_then(|h| h.get(name));
    if get("IsFastGs") == Some(1) {
        for (i, _) in code.insns().filter(|(_, insn)| insn.form().name == "OUT") {
            let text = "OUT does nothing in a fast geometry program";
            found.against(i, "IsFastGs", Diagnostic::new(Severity::Note, "maxwell-out-fast", text));
        }
        return;
    }
    for (i, insn) in code.insns().filter(|(_, insn)| insn.form().name == "OUT") {
        operands(i, insn, found);
        let emits = TYPE.get(&insn.word) & EMIT != 0;
        if let (Some(mask), Some(stream)) = (get(MASK), stream(insn).map(|n| n & 3).filter(|_| emits))
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

/// The stream that `OUT` names by number.
fn stream(insn: &Insn<Maxwell>) -> Option<u64> {
    match insn.word >> 56 & 0xff {
        0xfb => (insn.field(B) == RZ).then_some(0),
        0xf6 | 0xf7 => Some(insn.field(B)),
        _ => None,
    }
}

/// What one `OUT` says.
fn operands(i: usize, insn: &Insn<Maxwell>, found: &mut Found<'_>) {
    let kind = TYPE.get(&insn.word);
    if kind == 0 {
        let text = "this OUT neither emits a vertex nor ends a strip";
        found.at(i, Diagnostic::error("maxwell-out-type", text));
    }
    let register = insn.word >> 56 & 0xff == 0xfb;
    if kind == CUT && !(register && insn.field(B) == RZ) {
        let text = "OUT.CUT names a stream, and takes RZ in its place";
        found.at(i, Diagnostic::error("maxwell-out-cut", text));
    }
    if let Some(number) = stream(insn).filter(|n| kind != CUT && *n > 3) {
        let text = format!("of the stream's number {number:#x} only two bits count: {}", number & 3);
        found.at(i, Diagnostic::warning("maxwell-out-stream", text));
    }
}

/// Registers that hold the state, `RZ` for as long as that is 0. Bit n for `Rn`.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Holders([u64; 4]);

impl Holders {
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

/// Follows the state along all ways.
fn states(code: &Code<'_>, found: &mut Found<'_>) {
    let mut before: Vec<Option<Holders>> = vec![None; code.words.len()];
    let mut start = Holders([0; 4]);
    start.set(RZ, true);
    let mut open = vec![];
    if let Some(first) = before.first_mut() {
        *first = Some(start);
        open.push(0);
    }
    // Sets only shrink, each at most 256 times.
    while let Some(i) = open.pop() {
        let Some(Some(holders)) = before.get(i).copied() else { continue };
        let after = behind(code, i, holders);
        for next in code.graph.next(i) {
            let Some(old) = before.get_mut(next) else { continue };
            let joined = old.map_or(after, |old| old.and(after));
            if *old != Some(joined) {
                *old = Some(joined);
                open.push(next);
            }
        }
    }
    for (i, insn) in code.insns() {
        let Some(Some(holders)) = before.get(i) else { continue };
        match insn.form().name {
            "OUT" if !holders.has(insn.field(A)) => {
                let text = format!("{} does not hold the state that the last OUT left", name(insn.field(A)));
                let help = "the state is 0 at first; each OUT takes what the one before it wrote";
                found.at(i, Diagnostic::error("maxwell-out-state", text).help(help));
            }
            "AST" if !holders.has(insn.field(C)) => {
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

/// Which registers hold the state behind an instruction.
fn behind(code: &Code<'_>, i: usize, before: Holders) -> Holders {
    let (Some(Some(insn)), Some(effects)) = (code.graph.insns.get(i), code.graph.effects.get(i)) else {
        return before;
    };
    let mut after = before;
    if insn.form().name == "OUT" {
        after = Holders([0; 4]);
        let d = insn.field(D);
        after.set(d, d != RZ);
    } else {
        let holds = moved(insn, before);
        for n in (0..RZ).filter(|n| effects.writes.has(*n)) {
            after.set(n, holds);
        }
    }
    // Where the guard does not hold, all stays.
    if guard::always(insn) { after } else { after.and(before) }
}

/// Whether what an instruction writes is the state.
fn moved(insn: &Insn<Maxwell>, before: Holders) -> bool {
    let fresh = before.has(RZ);
    match (insn.form().name, (insn.word >> 56) as u8) {
        // What was kept in local memory may be the state.
        ("LDL", _) => true,
        ("MOV", _) | ("MOV32I", _) if insn.field(N) != 15 => false,
        ("MOV", 0x5c) => before.has(insn.field(B)),
        ("MOV", 0x38 | 0x39) | ("MOV32I", _) => insn.field(B) == 0 && fresh,
        ("SEL", 0x5c) => before.has(insn.field(A)) && before.has(insn.field(B)),
        _ => false,
    }
}

fn name(register: u64) -> alloc::string::String {
    if register == RZ { "RZ".into() } else { format!("R{register}") }
}

/// Vertices past the most that the header allows, whatever way leads to them.
fn vertices(code: &Code<'_>, most: u32, found: &mut Found<'_>) {
    if !code.graph.complete {
        return;
    }
    let emits = |insn: &Insn<Maxwell>| insn.form().name == "OUT" && TYPE.get(&insn.word) & EMIT != 0;
    let emitted = |i: usize| {
        let insn = code.graph.insns.get(i).and_then(Option::as_ref);
        u32::from(insn.is_some_and(|insn| emits(insn) && guard::always(insn)))
    };
    // The fewest vertices before each instruction; what has fewer is taken first.
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
        let before = fewest.get(i).copied().unwrap_or(0);
        if before >= most && before != u32::MAX {
            let text = format!(
                "at least {before} vertices come before this one and the header allows {most}, so it is dropped"
            );
            found.against(i, VERTICES, Diagnostic::warning("maxwell-out-vertices", text));
        }
    }
}

/// Changes of the stream that end a strip without a cut.
fn streams(code: &Code<'_>, found: &mut Found<'_>) {
    // The streams that the last vertex may have gone to, a bit each.
    let mut before = vec![0u8; code.words.len()];
    let mut open: Vec<usize> =
        code.insns().map(|(i, _)| i).filter(|i| behind_stream(code, *i, 0) != 0).collect();
    while let Some(i) = open.pop() {
        let after = behind_stream(code, i, before.get(i).copied().unwrap_or(0));
        for next in code.graph.next(i) {
            if let Some(old) = before.get_mut(next).filter(|old| **old | after != **old) {
                *old |= after;
                open.push(next);
            }
        }
    }
    for (i, insn) in code.insns().filter(|(_, insn)| insn.form().name == "OUT") {
        let Some(stream) = stream(insn).filter(|_| TYPE.get(&insn.word) & EMIT != 0) else { continue };
        let others = before.get(i).copied().unwrap_or(0) & !(1 << (stream & 3));
        if others != 0 {
            let text = format!(
                "the vertex goes to stream {}, another than the one before it: that ends the strip",
                stream & 3
            );
            found.at(i, Diagnostic::new(Severity::Note, "maxwell-out-stream-change", text));
        }
    }
}

/// The streams of the last vertex behind an instruction; none behind a cut.
fn behind_stream(code: &Code<'_>, i: usize, before: u8) -> u8 {
    let Some(Some(insn)) = code.graph.insns.get(i) else { return before };
    if insn.form().name != "OUT" {
        return before;
    }
    let after = match (TYPE.get(&insn.word), stream(insn)) {
        (1, Some(stream)) => 1 << (stream & 3),
        _ => 0,
    };
    if guard::always(insn) { after } else { after | before }
}
