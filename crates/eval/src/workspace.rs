//! The memory of a dispatch.

use crate::dispatch::Workplace;
use crate::environment::{Access, Environment, load_each, store_each};
use crate::wave::{Plane, joined};
use shisa_diag::{Bound, Diagnostic, Limit, Limits};
use shisa_ir::{Lanes, Space, WAVE};

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

    /// The bytes that all lanes access, those of the first lane first, and the distance between lanes. `None` unless
    /// all addresses are in one memory at equal distances.
    fn row(&mut self, access: &Access<'_>, count: usize) -> Option<(&mut [u8], usize)> {
        let [low, high] = access.address;
        let stride = low.0[1].wrapping_sub(low.0[0]);
        if access.lanes != Lanes::MAX || access.space == Space::Local || stride > FARTHEST {
            return None;
        }
        // The high half would change after the last 32-bit address.
        low.0[0].checked_add(stride * (WAVE as u32 - 1))?;
        let mut other = 0;
        for lane in 0..WAVE as u32 {
            let expected = low.0[0].wrapping_add(stride.wrapping_mul(lane));
            other |= (low.0[lane as usize] ^ expected) | (high.0[lane as usize] ^ high.0[0]);
        }
        let all = stride as usize * (WAVE - 1) + count;
        if other != 0 {
            return None;
        }
        Some((self.find(access.space, 0, joined(access.address, 0), all)?, stride as usize))
    }
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
        let count = N * planes.len();
        let Some((bytes, stride)) = self.row(access, count) else { return false };
        for (i, plane) in planes.iter_mut().enumerate() {
            let number = |at: usize| {
                let mut word = [0; 4];
                word.iter_mut().zip(bytes.get(at..at + N)?).for_each(|(w, b)| *w = *b);
                Some(u32::from_le_bytes(word))
            };
            if stride == 0 {
                let Some(word) = number(N * i) else { return false };
                *plane = Plane::splat(word);
                continue;
            }
            for (lane, v) in plane.0.iter_mut().enumerate() {
                let Some(word) = number(lane * stride + N * i) else { return false };
                *v = word;
            }
        }
        true
    }

    /// Stores consecutive components of `N` bytes for all lanes; `false` if the lanes must be handled one at a time.
    fn store_row<const N: usize>(&mut self, access: &Access<'_>, values: &[[&Plane; 2]]) -> bool {
        let count = N * values.len();
        let Some((bytes, stride)) = self.row(access, count) else { return false };
        // Lanes that write the same bytes do so in ascending order.
        for lane in 0..WAVE {
            let Some(slots) = bytes.get_mut(lane * stride..lane * stride + count) else { return false };
            for (slot, [low, _]) in slots.chunks_mut(N).zip(values) {
                slot.iter_mut().zip(low.0[lane].to_le_bytes()).for_each(|(slot, b)| *slot = b);
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
mod tests {
    use super::*;

    #[test]
    fn stacks_past_the_limit_are_refused_by_its_name() {
        let limits = Limits { memory: 3 * WAVE * 8 + 7, ..Limits::default() };
        let mut w = Workspace::new(0, 8, 0, &limits).unwrap();
        for (wave, code) in [(2, None), (3, Some("limit-exceeded"))] {
            w.enter(wave);
            let done = w.store(Space::Local, 0, u64::MAX - 3, &[0; 4]);
            assert_eq!(done.map_err(|d| d.code).err(), code, "wave {wave}");
        }
        w.enter(0);
        assert_eq!(w.store(Space::Local, 0, 0x1000, &[0; 4]).unwrap_err().code, "eval-memory-outside");
    }

    #[test]
    fn accesses_lie_within_one_memory() {
        let limits = Limits { memory: 4096, ..Limits::default() };
        let mut w = Workspace::new(16, 8, 4, &limits).unwrap();
        w.add(0x1_0000_0000, vec![1; 8]).unwrap();
        w.add(0x1_0000_0008, vec![2; 8]).unwrap();
        for (address, size) in [(0x1_0000_0007, 2), (0xffff_ffff, 2), (u64::MAX, 1), (0x1_0000_0010, 0)] {
            let added = w.add(address, vec![0; size]);
            assert_eq!(added.is_err(), size > 0, "{size} bytes at {address:#x}");
        }
        assert_eq!(w.add(0x2_0000_0000, vec![0; 4096]).unwrap_err().code, "limit-exceeded");
        let mut get = |space, lane, address, count| {
            let mut bytes = [9; 4];
            w.load(space, lane, address, &mut bytes[..count]).map(|()| bytes).map_err(|d| d.code)
        };
        let none = Err("eval-memory-outside");
        assert_eq!(get(Space::Global, 0, 0x1_0000_0006, 2), Ok([1, 1, 9, 9]));
        assert_eq!(get(Space::Global, 0, 0x1_0000_0008, 4), Ok([2; 4]));
        for address in [0, 0xffff_ffff, 0x1_0000_0007, 0x1_0000_0010, u64::MAX] {
            assert_eq!(get(Space::Global, 0, address, 2), none, "{address:#x}");
        }
        assert_eq!(get(Space::Shared, 0, 12, 4), Ok([0; 4]));
        assert_eq!(get(Space::Shared, 0, 13, 4), none);
        assert_eq!(get(Space::Uniforms, 0, 2, 2), Ok([0, 0, 9, 9]));
        assert_eq!(get(Space::Local, 0, 0, 1), none);
        assert_eq!(get(Space::Local, 0, 0xffff_fff7, 4), none);
        assert_eq!(get(Space::Constant(0), 0, 0, 1), none);
    }

    #[test]
    fn each_thread_has_a_stack() {
        let mut w = Workspace::new(0, 8, 0, &Limits::default()).unwrap();
        w.enter(1);
        w.store(Space::Local, 3, 0xffff_fff8, &[5; 4]).unwrap();
        let mut get = |wave, lane| {
            let mut bytes = [0; 4];
            w.enter(wave);
            w.load(Space::Local, lane, 0xffff_fff8, &mut bytes).unwrap();
            bytes
        };
        assert_eq!([get(1, 3), get(1, 2), get(0, 3)], [[5; 4], [0; 4], [0; 4]]);
        w.begin();
        let mut bytes = [1; 4];
        w.enter(1);
        w.load(Space::Local, 3, 0xffff_fff8, &mut bytes).unwrap();
        assert_eq!(bytes, [0; 4]);
    }
}
