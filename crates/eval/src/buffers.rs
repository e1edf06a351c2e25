//! Memory as a set of buffers.

use crate::environment::{Environment, Sample, located};
use crate::texture::TextureSet;
use crate::wave::Plane;
use shisa_diag::{Diagnostic, Limit, Limits};
use shisa_ir::{Space, WAVE};
use std::collections::BTreeMap;
use std::ops::Range;

/// The result of an access that is not within one buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outside {
    /// The run ends with a diagnostic.
    #[default]
    Refused,
    /// Loads return zero, stores have no effect.
    Ignored,
}

/// An environment with textures, and with memory that consists of buffers at fixed addresses.
///
/// Every lane of a wave has its own [`Space::Local`] buffers. Constant banks are read-only.
#[derive(Clone, Debug, Default)]
pub struct BufferEnvironment {
    /// The textures.
    pub textures: TextureSet,
    /// The result of accesses outside of all buffers.
    pub outside: Outside,
    /// By memory space and, for local memory, lane.
    memories: BTreeMap<(Space, usize), BTreeMap<u64, Vec<u8>>>,
    bytes: usize,
}

impl BufferEnvironment {
    /// An environment with textures and without memory.
    pub fn new(textures: TextureSet) -> Self {
        BufferEnvironment { textures, ..Self::default() }
    }

    /// Adds a buffer; a local one is added to each lane.
    ///
    /// # Errors
    /// `eval-buffer` if it overlaps another buffer or ends past the last address; `limit-exceeded` if all buffers
    /// together would take more memory than the limit.
    pub fn add(
        &mut self,
        space: Space,
        address: u64,
        bytes: &[u8],
        limits: &Limits,
    ) -> Result<(), Diagnostic> {
        let lanes = if space == Space::Local { WAVE } else { 1 };
        let total = self.bytes.saturating_add(bytes.len().saturating_mul(lanes));
        limits.check(Limit::Memory, "bytes of buffers", total)?;
        let refused = |why| {
            let text = format!("a buffer of {} bytes at {address:#x} {why}", bytes.len());
            Err(Diagnostic::error("eval-buffer", text))
        };
        let Some(end) = address.checked_add(bytes.len() as u64) else {
            return refused("ends beyond the last address");
        };
        let memory = self.memories.get(&(space, 0));
        let before = memory.and_then(|m| m.range(..end).next_back());
        if before.is_some_and(|(&start, b)| start == address || start + b.len() as u64 > address) {
            return refused("overlaps another");
        }
        for lane in 0..lanes {
            self.memories.entry((space, lane)).or_default().insert(address, bytes.to_vec());
        }
        self.bytes = total;
        Ok(())
    }

    /// The bytes of a buffer; for a local buffer, those of `lane`.
    pub fn buffer(&self, space: Space, lane: usize, address: u64) -> Option<&[u8]> {
        self.memories.get(&key(space, lane))?.get(&address).map(Vec::as_slice)
    }

    /// The address of the buffer of an access, and the bytes in it.
    fn within(&self, space: Space, lane: usize, address: u64, count: usize) -> Option<(u64, Range<usize>)> {
        let (&start, bytes) = self.memories.get(&key(space, lane))?.range(..=address).next_back()?;
        let offset = usize::try_from(address - start).ok()?;
        let end = offset.checked_add(count)?;
        (end <= bytes.len()).then_some((start, offset..end))
    }

    /// The bytes of an access.
    fn find(&mut self, space: Space, lane: usize, address: u64, count: usize) -> Option<&mut [u8]> {
        let (start, range) = self.within(space, lane, address, count)?;
        self.memories.get_mut(&key(space, lane))?.get_mut(&start)?.get_mut(range)
    }

    fn miss(&self, what: &str, space: Space, address: u64, count: usize) -> Result<(), Diagnostic> {
        match self.outside {
            Outside::Ignored => Ok(()),
            Outside::Refused => {
                let text =
                    format!("a {what} of {count} bytes at {address:#x} is outside of {space:?} memory");
                Err(Diagnostic::error("eval-memory-outside", text))
            }
        }
    }
}

fn key(space: Space, lane: usize) -> (Space, usize) {
    (space, if space == Space::Local { lane } else { 0 })
}

impl Environment for BufferEnvironment {
    fn bytes(&self) -> usize {
        self.bytes + self.textures.bytes()
    }

    fn sample(&mut self, sample: &Sample<'_>, texel: &mut [Plane; 4]) -> Result<(), Diagnostic> {
        self.textures.sample(sample, texel)
    }

    fn store_texel(&mut self, store: &Sample<'_>) -> Result<(), Diagnostic> {
        self.textures.store_texel(store)
    }

    fn reached(&self, space: Space, lane: usize, address: u64, bytes: usize) -> Option<(Space, u64)> {
        let is_buffer = space != Space::Texels;
        let (memory, at) = located(space, address);
        (!is_buffer || self.within(memory, lane, at, bytes).is_some()).then_some((memory, at))
    }

    fn load(&mut self, space: Space, lane: usize, address: u64, bytes: &mut [u8]) -> Result<(), Diagnostic> {
        if space == Space::Texels {
            return self.textures.load(space, lane, address, bytes);
        }
        let Some(found) = self.find(space, lane, address, bytes.len()) else {
            bytes.fill(0);
            return self.miss("load", space, address, bytes.len());
        };
        bytes.copy_from_slice(found);
        Ok(())
    }

    fn store(&mut self, space: Space, lane: usize, address: u64, bytes: &[u8]) -> Result<(), Diagnostic> {
        if let Space::Constant(bank) = space {
            let text = format!("constant bank {bank} cannot be written");
            return Err(Diagnostic::error("eval-memory-constant", text));
        }
        if space == Space::Texels {
            return self.textures.store(space, lane, address, bytes);
        }
        let Some(found) = self.find(space, lane, address, bytes.len()) else {
            return self.miss("store", space, address, bytes.len());
        };
        found.copy_from_slice(bytes);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texture::{Format, Size, Texture};
    use shisa_ir::{Dim, Sampler};

    fn filled(outside: Outside) -> BufferEnvironment {
        let mut env = BufferEnvironment { outside, ..BufferEnvironment::default() };
        let limits = Limits::default();
        env.add(Space::Global, 0x1000, &[1, 2, 3, 4], &limits).unwrap();
        env.add(Space::Global, 0x1004, &[5, 6], &limits).unwrap();
        env.add(Space::Global, u64::MAX - 2, &[9, 9], &limits).unwrap();
        env.add(Space::Constant(1), 0, &[7; 8], &limits).unwrap();
        env.add(Space::Local, 0, &[0; 4], &limits).unwrap();
        env
    }

    fn load(
        env: &mut BufferEnvironment,
        space: Space,
        lane: usize,
        address: u64,
    ) -> Result<[u8; 2], &'static str> {
        let mut bytes = [0xee; 2];
        env.load(space, lane, address, &mut bytes).map(|()| bytes).map_err(|d| d.code)
    }

    #[test]
    fn the_size_is_that_of_buffers_and_textures() {
        let limits = Limits::default();
        let texture = Texture::shaped(Format::R8Ui, Dim::D1, Size::flat(5, 1), &[[[0; 5]]], &limits).unwrap();
        let texels = texture.bytes();
        assert_ne!(texels, 0);
        let mut env = filled(Outside::Refused);
        let buffers = env.bytes();
        assert_eq!(buffers, 4 + 2 + 2 + 8 + 4 * WAVE);
        env.textures.bind(0, texture, Sampler::default(), &limits).unwrap();
        assert_eq!(env.bytes(), buffers + texels);
    }

    #[test]
    fn accesses_lie_within_one_buffer() {
        let mut env = filled(Outside::Refused);
        let outside = Err("eval-memory-outside");
        assert_eq!(load(&mut env, Space::Global, 3, 0x1001), Ok([2, 3]));
        assert_eq!(load(&mut env, Space::Global, 3, 0x1004), Ok([5, 6]));
        assert_eq!(load(&mut env, Space::Global, 3, u64::MAX - 2), Ok([9, 9]));
        for address in [0, 0xfff, 0x1003, 0x1005, 0x1006, u64::MAX - 1, u64::MAX] {
            assert_eq!(load(&mut env, Space::Global, 3, address), outside, "{address:#x}");
        }
        assert_eq!(load(&mut env, Space::Shared, 0, 0), outside);
        assert_eq!(load(&mut env, Space::Constant(2), 0, 0), outside);
    }

    #[test]
    fn outside_accesses_can_be_ignored() {
        let mut env = filled(Outside::Ignored);
        assert_eq!(load(&mut env, Space::Global, 0, 0x1003), Ok([0, 0]));
        env.store(Space::Global, 0, 0x1003, &[8, 8]).unwrap();
        assert_eq!(env.reached(Space::Global, 0, 0x1003, 2), None);
        assert_eq!(env.reached(Space::Global, 0, 0x1002, 2), Some((Space::Global, 0x1002)));
        assert_eq!(env.reached(Space::Constants, 0, 0x1_0004, 4), Some((Space::Constant(1), 4)));
        assert_eq!(env.buffer(Space::Global, 0, 0x1000), Some(&[1, 2, 3, 4][..]));
    }

    #[test]
    fn lanes_have_local_memory_and_constants_stay() {
        let mut env = filled(Outside::Refused);
        env.store(Space::Local, 5, 1, &[1, 2]).unwrap();
        assert_eq!(load(&mut env, Space::Local, 5, 1), Ok([1, 2]));
        assert_eq!(load(&mut env, Space::Local, 6, 1), Ok([0, 0]));
        let refused = env.store(Space::Constant(1), 0, 0, &[1]).unwrap_err();
        assert_eq!(refused.code, "eval-memory-constant");
    }

    #[test]
    fn buffers_do_not_overlap_or_exceed() {
        let mut env = filled(Outside::Refused);
        let limits = Limits::default();
        for (address, count) in
            [(0x1000, 1), (0xfff, 2), (0x1003, 1), (0x1005, 3), (0x800, 0x1000), (u64::MAX, 2)]
        {
            let d = env.add(Space::Global, address, &vec![0; count], &limits).unwrap_err();
            assert_eq!(d.code, "eval-buffer", "{count} bytes at {address:#x}");
        }
        env.add(Space::Global, 0xffc, &[0; 4], &limits).unwrap();
        // Eight bytes each for 32 lanes.
        for (memory, fits) in [(256, true), (255, false)] {
            let limits = Limits { memory, ..Limits::default() };
            let mut env = BufferEnvironment::default();
            assert_eq!(env.add(Space::Local, 0, &[0; 8], &limits).is_ok(), fits);
        }
    }
}
