//! Runs pieces, and finds which lanes the engine must run again.

use super::PieceCode;
use crate::jit::context::{Context, GROUPS};
use crate::jit::doubt::Doubt;
use crate::memory::{Chunk, LANES, Lanes, Operand};
use crate::parts::{Now, Part, Parts};
use crate::plan::Plan;
use crate::task::End;
use crate::working::Memory;
use std::ops::Range;
use std::sync::Arc;

/// The code of pieces, and what its runs need.
pub(crate) struct Pieces {
    code: Arc<PieceCode>,
    context: Context,
    doubt: Doubt,
    /// Number of chunks of pieces that ran without machine code, because a result was in doubt.
    left_chunks: u64,
    /// The latest piece, and its lanes that the engine must run again.
    piece: usize,
    again: Lanes,
    /// What the engine runs again.
    repeated: Option<Repeated>,
    /// The results of finished lanes of that chunk.
    results: Vec<Chunk>,
}

/// A chunk that the engine runs again as the first chunk, with which it is exchanged meanwhile.
struct Repeated {
    chunk: usize,
    /// Lanes of the chunk that keep their results.
    finished: u16,
    /// The lanes that were killed before.
    killed: Lanes,
}

impl Pieces {
    pub(in crate::jit) fn new(code: Arc<PieceCode>) -> Pieces {
        Pieces {
            code,
            context: Context::new(),
            doubt: Doubt::default(),
            left_chunks: 0,
            piece: 0,
            again: 0,
            repeated: None,
            results: Vec::new(),
        }
    }

    /// Number of chunks of pieces that ran without machine code, because a result was in doubt.
    pub(crate) fn left_chunks(&self) -> u64 {
        self.left_chunks
    }

    /// Runs a piece. The lanes of groups with a result in doubt are to be run again.
    #[allow(unsafe_code)]
    fn run(&mut self, number: usize, program: &Plan, memory: &mut Memory, now: Now) -> Result<(), End> {
        let piece = self.code.pieces.get(number).ok_or(End::Internal)?;
        if memory.chunks.len() != program.chunks || now.chunks > program.width {
            return Err(End::Internal);
        }
        if piece.uses_quads {
            if !now.together {
                return Err(End::Divergent);
            }
            self.context.set_quads(now.quads);
        }
        let vectors = self.code.executable.vectors();
        let (width, groups) = (vectors.lanes(), now.chunks * vectors.groups());
        let context = &mut self.context;
        context.set_lanes(now.lanes, groups, vectors);
        context.killed = [0; GROUPS];
        context.left_groups = [0; GROUPS];
        context.count = groups as u64;
        context.set_memory(memory);
        // SAFETY: a function of this program begins there (`PieceCode::new`); the processor has its level
        // (`MachineCode::new`). The pointers of the context lead to memory that lives until the call returns, that nothing
        // else refers to, and that is as large as the program says: the number of chunks was compared above; tables are as
        // long as their bounded rows need (`Memory::new`). The code stays within them; the documentation of `jit` says why.
        unsafe { self.code.executable.call(piece.start, context) };
        self.doubt.finished(now.chunks);
        (self.piece, self.again) = (number, 0);
        if context.killed == [0; GROUPS] && context.left_groups == [0; GROUPS] {
            return Ok(());
        }
        for (group, lanes) in context.lanes.iter().enumerate().take(groups) {
            let at = group * width;
            match context.left_groups[group] {
                0 => memory.killed |= Lanes::from(context.killed[group]) << at,
                _ => self.again |= Lanes::from(*lanes) << at,
            }
        }
        Ok(())
    }

    /// The lanes of the first chunk that the engine must run again.
    fn repeat(&mut self, memory: &mut Memory) -> Result<Part, End> {
        let piece = self.code.pieces.get(self.piece).ok_or(End::Internal)?;
        let chunk = self.again.trailing_zeros() as usize / LANES;
        let lanes = (self.again >> (chunk * LANES)) as u16;
        self.again &= !(Lanes::from(u16::MAX) << (chunk * LANES));
        exchange(&piece.slabs, chunk, memory);
        self.results.clear();
        self.results.extend(piece.results.iter().filter_map(|o| memory.chunks.get(o.chunk(0))));
        let killed = std::mem::take(&mut memory.killed);
        self.repeated = Some(Repeated { chunk, finished: !lanes, killed });
        self.left_chunks += 1;
        self.doubt.left();
        Ok(Part { list: piece.list.clone(), chunks: 1, lanes: lanes.into(), repeats: true })
    }

    /// The engine has run lanes again: others of their chunk get their results back, and all return to their chunk.
    fn restore(&mut self, memory: &mut Memory) {
        let Some(Repeated { chunk, finished, killed }) = self.repeated.take() else { return };
        let Some(piece) = self.code.pieces.get(self.piece) else { return };
        for (o, before) in piece.results.iter().zip(&self.results) {
            let Some(now) = memory.chunks.get_mut(o.chunk(0)) else { continue };
            for (lane, (now, before)) in now.0.iter_mut().zip(before.0).enumerate() {
                if finished >> lane & 1 != 0 {
                    *now = before;
                }
            }
        }
        exchange(&piece.slabs, chunk, memory);
        memory.killed = killed | memory.killed << (chunk * LANES);
    }
}

/// Exchanges a chunk of slabs with the first one.
fn exchange(slabs: &[Operand], chunk: usize, memory: &mut Memory) {
    let last = memory.chunks.len();
    for slab in slabs.iter().filter(|slab| slab.chunk(chunk) < last) {
        memory.chunks.swap(slab.chunk(0), slab.chunk(chunk));
    }
}

impl Parts for Pieces {
    fn next(
        &mut self,
        program: &Plan,
        memory: &mut Memory,
        now: Now,
        list: &mut Range<usize>,
    ) -> Result<Option<Part>, End> {
        self.restore(memory);
        loop {
            if self.again != 0 {
                return self.repeat(memory).map(Some);
            }
            if Range::is_empty(list) {
                return Ok(None);
            }
            let next = self.code.piece_from(list.start);
            let next = next.and_then(|n| Some((n, self.code.pieces.get(n)?.list.clone())));
            let here = match next.filter(|(_, piece)| piece.start < list.end) {
                Some((number, piece)) if piece.start == list.start => {
                    list.start = piece.end;
                    if !self.doubt.skips() {
                        self.run(number, program, memory, now)?;
                        continue;
                    }
                    self.left_chunks += now.chunks as u64;
                    piece
                }
                Some((_, piece)) => std::mem::replace(&mut list.start, piece.start)..piece.start,
                None => std::mem::replace(list, 0..0),
            };
            return Ok(Some(Part { list: here, chunks: now.chunks, lanes: now.lanes, repeats: false }));
        }
    }
}
