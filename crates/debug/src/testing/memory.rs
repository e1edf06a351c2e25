//! Memory of programs of tests.

use shisa_diag::Diagnostic;
use shisa_eval::{Environment, LaneView, Plane, Sample};
use shisa_ir::{Emission, Space, WAVE};

/// The address of the buffer in global memory.
pub(crate) const BUFFER: u64 = 0x1000;

/// A buffer whose bytes are the low bytes of their addresses, and shared and local memory of zeros. Constants are zeros, of which only
/// the first 16 bytes exist, and the uniforms are the lane's number in the batch. Textures are black.
#[derive(Clone)]
pub(crate) struct Memory {
    buffer: [u8; 64],
    shared: [u8; 16],
    local: [[u8; 16]; WAVE],
    lanes: [Option<usize>; WAVE],
}

impl Default for Memory {
    fn default() -> Memory {
        let buffer = std::array::from_fn(|at| at as u8);
        Memory { buffer, shared: [0; 16], local: [[0; 16]; WAVE], lanes: [None; WAVE] }
    }
}

impl Memory {
    fn bytes(
        &mut self,
        space: Space,
        lane: usize,
        address: u64,
        count: usize,
    ) -> Result<&mut [u8], Diagnostic> {
        let (bytes, start) = match space {
            Space::Global => (&mut self.buffer[..], BUFFER),
            Space::Local => (&mut self.local[lane][..], 0),
            _ => (&mut self.shared[..], 0),
        };
        let from = address.checked_sub(start).map(|from| from as usize);
        let found = from.and_then(|from| bytes.get_mut(from..from.checked_add(count)?));
        found.ok_or_else(|| Diagnostic::error("test-memory", format!("{address:#x} is outside")))
    }
}

impl Environment for Memory {
    fn wave(&mut self, lanes: &[Option<usize>; WAVE]) {
        self.lanes = *lanes;
    }

    fn sample(&mut self, _: &Sample<'_>, texel: &mut [Plane; 4]) -> Result<(), Diagnostic> {
        *texel = [Plane::ZERO; 4];
        Ok(())
    }

    fn load(&mut self, space: Space, lane: usize, address: u64, bytes: &mut [u8]) -> Result<(), Diagnostic> {
        let number = self.lanes[lane].unwrap_or(99) as u8;
        match space {
            Space::Uniforms => bytes.iter_mut().zip([number]).for_each(|(to, number)| *to = number),
            Space::Constant(_) => bytes.fill(0),
            _ => bytes.copy_from_slice(self.bytes(space, lane, address, bytes.len())?),
        }
        Ok(())
    }

    fn store(&mut self, space: Space, lane: usize, address: u64, bytes: &[u8]) -> Result<(), Diagnostic> {
        self.bytes(space, lane, address, bytes.len())?.copy_from_slice(bytes);
        Ok(())
    }

    fn reached(&self, space: Space, _: usize, address: u64, bytes: usize) -> Option<(Space, u64)> {
        let within = !matches!(space, Space::Constant(_)) || address + bytes as u64 <= 16;
        within.then_some((space, address))
    }

    fn emit(&mut self, _: Emission, _: LaneView<'_>) -> Result<(), Diagnostic> {
        Ok(())
    }
}
