//! Memory in buffers.

use crate::{Environment, Plane, Sample, TextureSet};
use shisa_diag::{Diagnostic, Limits};
use shisa_ir::{Space, WAVE};
use std::collections::BTreeMap;

/// What happens where an access does not lie within one buffer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Outside {
    /// The run ends with a diagnostic.
    #[default]
    Refused,
    /// Loads give zero, stores do nothing.
    Ignored,
}

/// An environment of textures and of memory that consists of buffers at fixed addresses.
///
/// Every lane of a wave has [`Space::Local`] buffers of its own. Constant banks cannot be written.
#[derive(Clone, Debug, Default)]
pub struct BufferEnvironment {
    /// The textures.
    pub textures: TextureSet,
    /// What happens to accesses outside of all buffers.
    pub outside: Outside,
    /// By memory and, for local memory, lane.
    memories: BTreeMap<(Space, usize), BTreeMap<u64, Vec<u8>>>,
    bytes: usize,
}

impl BufferEnvironment {
    /// Nothing but textures.
    pub fn new(textures: TextureSet) -> Self {
        BufferEnvironment { textures, ..Self::default() }
    }

    /// Adds a buffer; a local one is added to each lane.
    ///
    /// # Errors
    /// `eval-buffer` when it overlaps another or ends beyond the last address, `limit-exceeded` when all
    /// buffers together would take more memory than the limit.
    pub fn add(
        &mut self,
        space: Space,
        address: u64,
        bytes: &[u8],
        limits: &Limits,
    ) -> Result<(), Diagnostic> {
        let lanes = if space == Space::Local { WAVE } else { 1 };
        let total = self.bytes.saturating_add(bytes.len().saturating_mul(lanes));
        Limits::check("bytes of buffers", total, limits.memory)?;
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

    /// The bytes of a buffer; of a local one those of `lane`.
    pub fn buffer(&self, space: Space, lane: usize, address: u64) -> Option<&[u8]> {
        self.memories.get(&key(space, lane))?.get(&address).map(Vec::as_slice)
    }

    /// The bytes of an access.
    fn find(&mut self, space: Space, lane: usize, address: u64, count: usize) -> Option<&mut [u8]> {
        let memory = self.memories.get_mut(&key(space, lane))?;
        let (&start, bytes) = memory.range_mut(..=address).next_back()?;
        let offset = usize::try_from(address - start).ok()?;
        bytes.get_mut(offset..offset.checked_add(count)?)
    }

    fn miss(&self, what: &str, space: Space, address: u64, count: usize) -> Result<(), Diagnostic> {
        match self.outside {
            Outside::Ignored => Ok(()),
            Outside::Refused => {
                let text =
                    format!("a {what} of {count} bytes at {address:#x} lies outside of {space:?} memory");
                Err(Diagnostic::error("eval-memory-outside", text))
            }
        }
    }
}

fn key(space: Space, lane: usize) -> (Space, usize) {
    (space, if space == Space::Local { lane } else { 0 })
}

impl Environment for BufferEnvironment {
    fn sample(&mut self, sample: &Sample<'_>, texel: &mut [Plane; 4]) -> Result<(), Diagnostic> {
        self.textures.sample(sample, texel)
    }

    fn load(&mut self, space: Space, lane: usize, address: u64, bytes: &mut [u8]) -> Result<(), Diagnostic> {
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
        let Some(found) = self.find(space, lane, address, bytes.len()) else {
            return self.miss("store", space, address, bytes.len());
        };
        found.copy_from_slice(bytes);
        Ok(())
    }
}
