//! The vertices of the current strip: where another stream ends it, and where it ends too short.

use super::{Streams, emission, emissions};
use crate::flow::{Flow, Mark};
use crate::guard::{self, When};
use crate::rules::code::{Code, Found};
use alloc::format;
use shisa_diag::{Diagnostic, Severity};
use shisa_rows::code::{Analysis, Direction, solve};

/// What the current strip may be: no vertices, one to three or more vertices of each stream, or unknown. A bit each.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Strips(u16);

impl Strips {
    const EMPTY: Strips = Strips(1);
    const UNKNOWN: Strips = Strips(1 << 13);
    /// How many kinds of strips there are.
    const KINDS: u64 = 14;
    /// The most vertices that are counted.
    const MOST: u32 = 3;

    fn of(stream: u64, vertices: u32) -> Strips {
        Strips(1 << (3 * (stream & super::STREAM) as u32 + vertices.clamp(1, Strips::MOST)))
    }

    fn and(self, other: Strips) -> Strips {
        Strips(self.0 & other.0)
    }

    fn or(self, other: Strips) -> Strips {
        Strips(self.0 | other.0)
    }

    fn without(self, other: Strips) -> Strips {
        Strips(self.0 & !other.0)
    }

    fn is_none(self) -> bool {
        self.0 == 0
    }

    /// All strips of a stream.
    fn stream(stream: u64) -> Strips {
        (1..=Strips::MOST).fold(Strips(0), |all, n| all.or(Strips::of(stream, n)))
    }

    /// All strips with fewer vertices than are needed.
    fn shorter(needed: u32) -> Strips {
        let streams = 0..=super::STREAM;
        let counts = move |stream| (1..needed).map(move |n| Strips::of(stream, n));
        streams.flat_map(counts).fold(Strips(0), Strips::or)
    }

    /// The strips after a vertex.
    fn emit(self, stream: Option<u64>) -> Strips {
        let Some(stream) = stream else { return Strips::UNKNOWN };
        let same = (1..=Strips::MOST).filter(|n| !self.and(Strips::of(stream, *n)).is_none());
        let longer = same.fold(Strips(0), |all, n| all.or(Strips::of(stream, n + 1)));
        let begun = match self.without(Strips::stream(stream)).without(Strips::UNKNOWN).is_none() {
            true => longer,
            false => longer.or(Strips::of(stream, 1)),
        };
        begun.or(self.and(Strips::UNKNOWN))
    }
}

/// The analysis of the current strip before each instruction.
struct Current<'a> {
    code: &'a Code<'a>,
    streams: &'a Streams,
}

impl Analysis for Current<'_> {
    type State = Strips;

    fn pass(&mut self, at: usize, before: &Strips) -> Strips {
        let Some(insn) = self.code.graph.insn(at) else { return *before };
        let (Some(out), when) = (emission(insn), guard::when(insn)) else { return *before };
        let emitted = if out.emits { before.emit(self.streams.get(&at).copied()) } else { *before };
        let after = if out.cuts { Strips::EMPTY } else { emitted };
        match when {
            When::Always => after,
            When::If(..) => after.or(*before),
            When::Never => *before,
        }
    }

    fn join(&mut self, _: usize, state: &mut Strips, other: &Strips) -> bool {
        let old = core::mem::replace(state, state.or(*other));
        *state != old
    }
}

/// Reports changes of the stream that end a strip without a cut, and strips that end with fewer vertices than `needed`.
pub(super) fn check(code: &Code<'_>, streams: &Streams, needed: u32, found: &mut Found<'_>) {
    // Where some paths are not known, any instruction may come first.
    let count = if code.graph.is_complete() { 0 } else { code.graph.len() };
    let starts = [(0, Strips::EMPTY)].into_iter().chain((0..count).map(|i| (i, Strips::UNKNOWN)));
    // A set can only grow.
    let fuel = code.graph.len() as u64 * (Strips::KINDS + 1);
    let graph = &code.graph.edges;
    let mut current = Current { code, streams };
    let Ok(before) = solve(graph, Direction::Forwards, starts, &mut current, fuel) else {
        return found.internal(0, "which vertices strips have");
    };
    let is_short = |strips: Strips| !strips.is_none() && strips.without(Strips::shorter(needed)).is_none();
    let short = |i: usize, strips: Strips, found: &mut Found<'_>| {
        if is_short(strips) {
            let text = format!("the strip ends here with fewer than {needed} vertices, and is discarded");
            found.at(i, Diagnostic::warning("maxwell-out-strip", text));
        }
    };
    for (i, out) in emissions(code) {
        let Some(Some(before)) = before.get(i) else { continue };
        let mut ended = *before;
        if out.emits {
            let Some(stream) = streams.get(&i) else { continue };
            let others =
                before.without(Strips::EMPTY).without(Strips::UNKNOWN).without(Strips::stream(*stream));
            if !others.is_none() {
                let text = format!(
                    "the vertex goes to stream {stream} and the one before it to another: that ends the strip"
                );
                found.at(i, Diagnostic::new(Severity::Note, "maxwell-out-stream-change", text));
            }
            if others == *before {
                short(i, others, found);
            }
            ended = before.emit(Some(*stream));
        }
        if out.cuts {
            short(i, ended, found);
        }
    }
    for (i, _) in code.insns().filter(|(i, _)| code.flow(*i) == Some(Flow::Pop(Mark::Exit))) {
        if let Some(Some(before)) = before.get(i) {
            short(i, *before, found);
        }
    }
}
