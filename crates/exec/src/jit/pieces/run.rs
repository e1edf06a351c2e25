//! Runs pieces, and finds which lanes the engine must run again.

use super::PieceCode;
use crate::jit::context::{Context, GROUPS};
use crate::jit::doubt::Doubt;
use crate::memory::{Chunk, LANES, Lanes};
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
    /// A chunk that the engine runs again, whose other lanes are finished.
    finished: Option<Finished>,
    /// The results of the piece there.
    results: Vec<Chunk>,
}

/// Lanes of a chunk that keep their results while the engine runs the chunk.
struct Finished {
    chunk: usize,
    lanes: u16,
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
            finished: None,
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
        for (group, set) in context.lanes.iter_mut().enumerate().take(groups) {
            *set = (now.lanes >> (group * width)) as u16 & vectors.all();
        }
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
    fn repeat(&mut self, memory: &Memory, now: Now) -> Result<Part, End> {
        let piece = self.code.pieces.get(self.piece).ok_or(End::Internal)?;
        let chunk = self.again.trailing_zeros() as usize / LANES;
        let of_chunk = Lanes::from(u16::MAX) << (chunk * LANES);
        let lanes = self.again & of_chunk;
        self.again &= !of_chunk;
        if now.lanes & of_chunk != lanes {
            self.results.clear();
            self.results.extend(piece.results.iter().filter_map(|o| memory.chunks.get(o.chunk(chunk))));
            self.finished = Some(Finished { chunk, lanes: !(lanes >> (chunk * LANES)) as u16 });
        }
        self.left_chunks += 1;
        self.doubt.left();
        Ok(Part { list: piece.list.clone(), chunks: chunk..chunk + 1, lanes, repeats: true })
    }

    /// Lanes that were finished get their results back.
    fn restore(&mut self, memory: &mut Memory) {
        let Some(Finished { chunk, lanes }) = self.finished.take() else { return };
        let piece = self.code.pieces.get(self.piece);
        for (o, before) in piece.iter().flat_map(|piece| &piece.results).zip(&self.results) {
            let Some(now) = memory.chunks.get_mut(o.chunk(chunk)) else { continue };
            for (lane, (now, before)) in now.0.iter_mut().zip(before.0).enumerate() {
                if lanes >> lane & 1 != 0 {
                    *now = before;
                }
            }
        }
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
        let all = 0..now.chunks;
        loop {
            if self.again != 0 {
                return self.repeat(memory, now).map(Some);
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
            return Ok(Some(Part { list: here, chunks: all, lanes: now.lanes, repeats: false }));
        }
    }
}
