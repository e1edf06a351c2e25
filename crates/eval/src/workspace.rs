//! The memory of a dispatch.

use crate::dispatch::Workplace;
use crate::environment::{Access, Environment, load_each, store_each};
use crate::wave::Plane;
use shisa_diag::{Bound, Diagnostic, Limit, Limits};
use shisa_ir::{Space, WAVE};
use std::ops::Range;

/// Buffers of device memory, and the memory of one workgroup at a time: the shared memory, and for each thread a stack
/// that grows downwards from address 0. Uniforms are writable, for programs that compute the uniforms of others.
#[derive(Clone, Debug)]
pub struct Workspace {
    /// In ascending order of addresses.
    buffers: Vec<(u64, Vec<u8>)>,
    /// The buffer of the latest access.
    latest: usize,
    shared: Vec<u8>,
    /// Size of a thread's stack in bytes.
    stack: usize,
    /// The stacks of all lanes, wave after wave. A wave's stacks are allocated at its first access.
    stacks: Vec<u8>,
    wave: usize,
    uniforms: Vec<u8>,
    bytes: usize,
    /// Limit on the size of all memory in bytes.
    most: Bound,
}

impl Workspace {
    /// A workspace with this many bytes of shared memory, of stack per thread and of uniforms, and without buffers.
    ///
    /// # Errors
    /// `limit-exceeded` if that is more memory than the limit.
    pub fn new(shared: usize, stack: usize, uniforms: usize, limits: &Limits) -> Result<Self, Diagnostic> {
        let bytes = shared.saturating_add(uniforms);
        limits.check(Limit::Memory, "bytes of memory", bytes.saturating_add(stack.saturating_mul(WAVE)))?;
        Ok(Workspace {
            shared: vec![0; shared],
            stack,
            uniforms: vec![0; uniforms],
            bytes,
            most: limits.bound(Limit::Memory),
            buffers: Vec::new(),
            latest: 0,
            stacks: Vec::new(),
            wave: 0,
        })
    }

    /// Adds a buffer.
    ///
    /// # Errors
    /// `eval-buffer` if it overlaps another buffer or ends past the last address; `limit-exceeded` if all memory
    /// together would exceed the limit.
    pub fn add(&mut self, address: u64, bytes: Vec<u8>) -> Result<(), Diagnostic> {
        let total = self.bytes.saturating_add(bytes.len());
        self.most.check("bytes of memory", total)?;
        let refused = |why| {
            let text = format!("a buffer of {} bytes at {address:#x} {why}", bytes.len());
            Err(Diagnostic::error("eval-buffer", text))
        };
        let Some(end) = address.checked_add(bytes.len() as u64) else {
            return refused("ends beyond the last address");
        };
        let at = self.buffers.partition_point(|b| b.0 < address);
        let before = at.checked_sub(1).and_then(|i| self.buffers.get(i));
        let overlaps = before.is_some_and(|(start, b)| start + b.len() as u64 > address)
            || self.buffers.get(at).is_some_and(|(start, _)| *start < end || *start == address);
        if overlaps {
            return refused("overlaps another");
        }
        self.buffers.insert(at, (address, bytes));
        self.bytes = total;
        Ok(())
    }

    /// The bytes of a buffer.
    pub fn buffer(&self, address: u64) -> Option<&[u8]> {
        self.buffers.iter().find(|b| b.0 == address).map(|b| b.1.as_slice())
    }

    /// The current uniforms.
    pub fn uniforms(&self) -> &[u8] {
        &self.uniforms
    }

    /// The current uniforms, mutable.
    pub fn uniforms_mut(&mut self) -> &mut [u8] {
        &mut self.uniforms
    }

    /// The bytes of an access.
    #[inline]
    fn find(&mut self, space: Space, lane: usize, address: u64, count: usize) -> Option<&mut [u8]> {
        let (bytes, offset) = match space {
            Space::Global => {
                let within = |b: &(u64, Vec<u8>)| address.wrapping_sub(b.0) < b.1.len() as u64;
                if !self.buffers.get(self.latest).is_some_and(within) {
                    self.latest = self.buffers.partition_point(|b| b.0 <= address).checked_sub(1)?;
                }
                let (start, bytes) = self.buffers.get_mut(self.latest)?;
                (bytes.as_mut_slice(), address.checked_sub(*start)?)
            }
            Space::Shared => (self.shared.as_mut_slice(), address),
            Space::Uniforms => (self.uniforms.as_mut_slice(), address),
            Space::Local => {
                // From the top of the lane's stack downwards; addresses have 32 bits.
                let depth = u64::from((address as u32).wrapping_neg());
                let offset = (self.stack as u64).checked_sub(depth)?;
                let first = (self.wave * WAVE + lane) * self.stack;
                let all = (self.wave + 1) * WAVE * self.stack;
                if self.stacks.len() < all {
                    if self.bytes.saturating_add(all) as u64 > self.most.value() {
                        return None;
                    }
                    self.stacks.resize(all, 0);
                }
                (self.stacks.get_mut(first..first + self.stack)?, offset)
            }
            Space::Outputs
            | Space::States
            | Space::Texels
            | Space::Constant(_)
            | Space::Constants
            | Space::Buffer(_) => {
                return None;
            }
        };
        let offset = usize::try_from(offset).ok()?;
        bytes.get_mut(offset..offset.checked_add(count)?)
    }

    /// The memory of an access of `count` bytes by neighbouring lanes whose addresses have one distance; `None` if other
    /// lanes access it, or at other addresses.
    fn row(&mut self, access: &Access<'_>, count: usize) -> Option<Row<'_>> {
        let [low, high] = access.address;
        let first = access.lanes.trailing_zeros() as usize;
        let lanes = first..first + (access.lanes.checked_shr(first as u32)?.trailing_ones() as usize);
        let (low, high) = (low.0.get(lanes.clone())?, high.0.get(lanes.clone())?);
        let (&[start, ..], &[start_high, ..]) = (low, high) else { return None };
        let stride = match low {
            [_, second, ..] => second.wrapping_sub(start),
            _ => 0,
        };
        let is_row = access.lanes.count_ones() as usize == lanes.len();
        if !is_row || access.space == Space::Local || stride > FARTHEST {
            return None;
        }
        // The high half would change after the last 32-bit address.
        start.checked_add(stride * (lanes.len() as u32 - 1))?;
        // Most waves have all lanes: their number is known when this is compiled.
        let even = match (low.first_chunk::<WAVE>(), high.first_chunk::<WAVE>()) {
            (Some(low), Some(high)) => is_even(low, high, stride),
            _ => is_even(low, high, stride),
        };
        if !even {
            return None;
        }
        let all = stride as usize * (lanes.len() - 1) + count;
        let bytes = self.find(access.space, 0, u64::from(start_high) << 32 | u64::from(start), all)?;
        Some(Row { bytes, stride: stride as usize, lanes })
    }
}

/// The memory of an access by neighbouring lanes.
struct Row<'w> {
    /// From the first byte of the first lane to the last byte of the last lane.
    bytes: &'w mut [u8],
    /// Bytes between neighbouring lanes.
    stride: usize,
    lanes: Range<usize>,
}

/// Whether addresses, of which these are the halves, have this distance; none of them is past the last 32-bit address.
#[inline(always)]
fn is_even(low: &[u32], high: &[u32], stride: u32) -> bool {
    let (Some(start), Some(start_high)) = (low.first(), high.first()) else { return false };
    let mut other = 0;
    for ((lane, low), high) in (0..).zip(low).zip(high) {
        let expected = start.wrapping_add(stride.wrapping_mul(lane));
        other |= (low ^ expected) | (high ^ start_high);
    }
    other == 0
}

/// Largest distance in bytes between neighbouring lanes for which one lookup serves all lanes.
const FARTHEST: u32 = 256;

impl Workspace {
    /// Why an access found no memory.
    #[cold]
    fn refused(&self, what: &str, space: Space, address: u64, count: usize) -> Diagnostic {
        let stacks = (self.wave + 1).saturating_mul(WAVE).saturating_mul(self.stack);
        let all = self.bytes.saturating_add(stacks);
        match self.most.check("bytes of memory, with the stacks of a workgroup's threads", all) {
            Err(exceeded) if space == Space::Local => exceeded,
            _ => outside(what, space, address, count),
        }
    }
}

fn outside(what: &str, space: Space, address: u64, count: usize) -> Diagnostic {
    let memory = format!("{space:?}").to_lowercase();
    let text = format!("a {what} of {count} bytes at {address:#x} is outside of {memory} memory");
    Diagnostic::error("eval-memory-outside", text)
}

impl Environment for Workspace {
    fn bytes(&self) -> usize {
        self.bytes + self.stacks.len()
    }

    #[inline]
    fn load(&mut self, space: Space, lane: usize, address: u64, bytes: &mut [u8]) -> Result<(), Diagnostic> {
        match self.find(space, lane, address, bytes.len()) {
            Some(found) => {
                bytes.copy_from_slice(found);
                Ok(())
            }
            None => Err(self.refused("load", space, address, bytes.len())),
        }
    }

    #[inline]
    fn store(&mut self, space: Space, lane: usize, address: u64, bytes: &[u8]) -> Result<(), Diagnostic> {
        match self.find(space, lane, address, bytes.len()) {
            Some(found) => {
                found.copy_from_slice(bytes);
                Ok(())
            }
            None => Err(self.refused("store", space, address, bytes.len())),
        }
    }

    fn load_lanes(&mut self, access: &Access<'_>, planes: &mut [Plane]) -> Result<(), Diagnostic> {
        let done = match access.bytes {
            1 => self.load_row::<1>(access, planes),
            2 => self.load_row::<2>(access, planes),
            4 => self.load_row::<4>(access, planes),
            _ => false,
        };
        if done { Ok(()) } else { load_each(self, access, planes) }
    }

    fn store_lanes(&mut self, access: &Access<'_>, values: &[[&Plane; 2]]) -> Result<(), Diagnostic> {
        let done = match access.bytes {
            1 => self.store_row::<1>(access, values),
            2 => self.store_row::<2>(access, values),
            4 => self.store_row::<4>(access, values),
            _ => false,
        };
        if done { Ok(()) } else { store_each(self, access, values) }
    }
}

impl Workspace {
    /// Loads consecutive components of `N` bytes for all lanes; `false` if the lanes must be handled one at a time.
    fn load_row<const N: usize>(&mut self, access: &Access<'_>, planes: &mut [Plane]) -> bool {
        let Some(Row { bytes, stride, lanes }) = self.row(access, N * planes.len()) else { return false };
        let word = |at: usize| {
            let mut word = [0; 4];
            *word.first_chunk_mut::<N>()? = *bytes.get(at..)?.first_chunk()?;
            Some(u32::from_le_bytes(word))
        };
        for (i, plane) in planes.iter_mut().enumerate() {
            *plane = Plane::ZERO;
            let Some(active) = plane.0.get_mut(lanes.clone()) else { return false };
            if stride == N {
                let Some(own) = bytes.get(N * i..) else { return false };
                let (words, _) = own.as_chunks::<N>();
                for (v, chunk) in active.iter_mut().zip(words) {
                    *v = chunk.iter().rev().fold(0, |word, byte| word << 8 | u32::from(*byte));
                }
                continue;
            }
            for (lane, v) in active.iter_mut().enumerate() {
                let Some(word) = word(lane * stride + N * i) else { return false };
                *v = word;
            }
        }
        true
    }

    /// Stores consecutive components of `N` bytes for all lanes; `false` if the lanes must be handled one at a time.
    fn store_row<const N: usize>(&mut self, access: &Access<'_>, values: &[[&Plane; 2]]) -> bool {
        let Some(Row { bytes, stride, lanes }) = self.row(access, N * values.len()) else { return false };
        if let ([[low, _]], true) = (values, stride == N) {
            let (words, _) = bytes.as_chunks_mut::<N>();
            let Some(active) = low.0.get(lanes) else { return false };
            for (slot, word) in words.iter_mut().zip(active) {
                slot.copy_from_slice(&word.to_le_bytes()[..N]);
            }
            return true;
        }
        let first = lanes.start;
        // Lanes that write the same bytes do so in ascending order.
        for lane in lanes {
            for (i, [low, _]) in values.iter().enumerate() {
                let at = (lane - first) * stride + N * i;
                let Some(slot) = bytes.get_mut(at..at + N) else { return false };
                slot.copy_from_slice(&low.0[lane].to_le_bytes()[..N]);
            }
        }
        true
    }
}

impl Workplace for Workspace {
    fn begin(&mut self) {
        self.shared.fill(0);
        self.stacks.fill(0);
    }

    fn enter(&mut self, number: u32) {
        self.wave = number as usize;
    }
}

#[cfg(test)]
mod tests;
