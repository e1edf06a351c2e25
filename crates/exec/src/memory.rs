//! Memory of a run: chunks of lanes.

/// Lanes of a chunk.
pub(crate) const LANES: usize = 16;
/// Chunks of a slab.
pub(crate) const CHUNKS: usize = 8;
/// Chunks at the start of memory that nothing reads: one for each unit of a group of four that is not used.
pub(crate) const SCRATCH: u32 = 4;
/// Lanes of a slab.
pub(crate) const SLAB: usize = LANES * CHUNKS;

/// One component of 16 lanes, aligned for the widest vector unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(align(64))]
pub(crate) struct Chunk(pub(crate) [u32; LANES]);

impl Chunk {
    pub(crate) const ZERO: Chunk = Chunk([0; LANES]);

    /// The same bits in all lanes.
    pub(crate) const fn splat(bits: u32) -> Chunk {
        Chunk([bits; LANES])
    }
}

/// A component in memory: chunk `c` of a slab is at `first + c * step`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Operand {
    first: u32,
    step: u32,
}

impl Operand {
    /// A component with a value for each lane.
    pub(crate) const fn slab(first: u32) -> Operand {
        Operand { first, step: 1 }
    }

    /// A component with one value for all lanes.
    pub(crate) const fn uniform(first: u32) -> Operand {
        Operand { first, step: 0 }
    }

    /// The index of a chunk.
    #[inline(always)]
    pub(crate) const fn chunk(self, c: usize) -> usize {
        self.first as usize + c * self.step as usize
    }

    pub(crate) const fn is_uniform(self) -> bool {
        self.step == 0
    }
}

/// The chunks that instructions work on.
pub(crate) struct Slabs<'a> {
    pub(crate) chunks: &'a mut [Chunk],
    /// The first chunk of a slab that is in use.
    pub(crate) first: usize,
    /// The end of those in use, up to [`CHUNKS`].
    pub(crate) end: usize,
}

impl Slabs<'_> {
    /// `dst = f(args)` in every lane. Operands are read before the result is written, chunk by chunk.
    #[inline(always)]
    pub(crate) fn map1(&mut self, dst: Operand, [a]: [Operand; 1], f: impl Fn([u32; 1]) -> u32) {
        for c in self.first..self.end {
            let x = self.chunks[a.chunk(c)];
            let mut to = Chunk::ZERO;
            for lane in 0..LANES {
                to.0[lane] = f([x.0[lane]]);
            }
            self.chunks[dst.chunk(c)] = to;
        }
    }

    /// As [`Slabs::map1`], with two operands.
    #[inline(always)]
    pub(crate) fn map2(&mut self, dst: Operand, [a, b]: [Operand; 2], f: impl Fn([u32; 2]) -> u32) {
        for c in self.first..self.end {
            let (x, y) = (self.chunks[a.chunk(c)], self.chunks[b.chunk(c)]);
            let mut to = Chunk::ZERO;
            for lane in 0..LANES {
                to.0[lane] = f([x.0[lane], y.0[lane]]);
            }
            self.chunks[dst.chunk(c)] = to;
        }
    }

    /// As [`Slabs::map1`], with three operands.
    #[inline(always)]
    pub(crate) fn map3(&mut self, dst: Operand, [a, b, c]: [Operand; 3], f: impl Fn([u32; 3]) -> u32) {
        for n in self.first..self.end {
            let (x, y, z) = (self.chunks[a.chunk(n)], self.chunks[b.chunk(n)], self.chunks[c.chunk(n)]);
            let mut to = Chunk::ZERO;
            for lane in 0..LANES {
                to.0[lane] = f([x.0[lane], y.0[lane], z.0[lane]]);
            }
            self.chunks[dst.chunk(n)] = to;
        }
    }
}

/// A set of lanes of a slab, lane 0 in the lowest bit.
pub(crate) type Lanes = u128;

/// The first `count` lanes.
pub(crate) const fn first_lanes(count: usize) -> Lanes {
    if count >= SLAB { Lanes::MAX } else { (1 << count) - 1 }
}

/// The first index of which a table of `units` has no row, if rows begin at `offset + index * stride`.
pub(crate) const fn rows_end(units: u32, offset: u32, stride: u32) -> u32 {
    match stride {
        0 if offset < units => u32::MAX,
        0 => 0,
        _ => units.saturating_sub(offset).div_ceil(stride),
    }
}
