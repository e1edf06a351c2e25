//! The memory that a kernel sees.

use super::launched::KernelRun;
use shisa_diag::{Diagnostic, Limit, Limits};
use shisa_eval::{Access, Environment, Plane, Sample, Texture, TextureSet, Workplace, Workspace};
use shisa_ir::{Space, WAVE};
use shisa_maxwell::launch::{BANK, LOCAL_WINDOW, SHARED_WINDOW, WINDOW};
use std::collections::BTreeMap;

type Done = Result<(), Diagnostic>;

/// Buffers, shared and local memory with their windows of generic addresses, and banks of constants.
#[derive(Clone)]
pub(super) struct Memory {
    space: Workspace,
    banks: BTreeMap<u8, Vec<u8>>,
    /// Bytes of a thread's local memory from address 0, and of its upper end.
    local: [u32; 2],
    pub(super) textures: TextureSet,
}

impl Memory {
    /// The memory of a run.
    pub(super) fn new(run: &KernelRun, limits: &Limits) -> Result<Memory, Diagnostic> {
        let (launch, kernel) = (&run.launch, &run.kernel);
        let local = [launch.local.next_multiple_of(16), launch.upper_local()];
        let all_local = local[0].saturating_add(local[1]) as usize;
        let mut space = Workspace::new(launch.all_shared() as usize, all_local, 0, limits)?;
        for (address, bytes) in kernel.globals.iter().chain(&run.buffers) {
            apart(*address, bytes.len() as u64)?;
            space.add(*address, bytes.clone())?;
        }
        let mut banks = kernel.banks.clone();
        let own = banks.remove(&0).unwrap_or_default();
        banks.insert(0, launch.bank(&own));
        for (number, bank) in &banks {
            limits.check(Limit::Memory, "bytes of constants", bank.len())?;
            if bank.len() > BANK {
                let text =
                    format!("bank {number} of the constants has {} bytes; the largest is {BANK}", bank.len());
                return Err(Diagnostic::error("eval-buffer", text));
            }
        }
        Ok(Memory { space, banks, local, textures: run.textures.clone() })
    }

    /// The contents of the buffers, in the order given.
    pub(super) fn buffers(&self, buffers: &[(u64, Vec<u8>)]) -> Vec<Vec<u8>> {
        buffers.iter().map(|b| self.space.buffer(b.0).unwrap_or_default().to_vec()).collect()
    }

    /// The memory that an address is in, and the address there, of local memory as the workspace counts it.
    fn held(&self, space: Space, address: u64) -> (Space, u64) {
        match resolved(space, address) {
            (Space::Local, address) => (Space::Local, self.depth(address)),
            other => other,
        }
    }

    /// An address of local memory as the workspace counts it: downwards from its end. 0 is outside.
    fn depth(&self, address: u64) -> u64 {
        let [lower, upper] = self.local.map(u64::from);
        let down = match address {
            _ if address < lower => lower + upper - address,
            _ if address < WINDOW => WINDOW - address,
            _ => 0,
        };
        // What is between the lower and the upper end is too deep for the upper one.
        let inside = address < lower || down <= upper;
        (if inside { down as u32 } else { 0 }).wrapping_neg().into()
    }

    /// Reads constants. Those past the end of a bank are zero, as tests that others ran on a Switch show.
    fn constant(&self, bank: u8, address: u64, bytes: &mut [u8]) -> Done {
        let Some(contents) = self.banks.get(&bank) else {
            let text = format!("the program reads bank {bank} of the constants, which nothing provides");
            return Err(Diagnostic::error("eval-memory-outside", text));
        };
        let from = usize::try_from(address).unwrap_or(usize::MAX);
        let there = contents.get(from..).unwrap_or_default().iter().copied().chain(std::iter::repeat(0));
        bytes.iter_mut().zip(there).for_each(|(to, byte)| *to = byte);
        Ok(())
    }
}

/// The memory that an address is in, and the address there: a generic address may be one of shared or local memory.
pub(super) fn resolved(space: Space, address: u64) -> (Space, u64) {
    let windows = [(Space::Shared, SHARED_WINDOW), (Space::Local, LOCAL_WINDOW)];
    let window = windows.iter().find(|(_, at)| space == Space::Global && address.wrapping_sub(*at) < WINDOW);
    window.map_or((space, address), |(memory, at)| (*memory, address - at))
}

/// Refuses an access that is not aligned to its size: the hardware reports a misaligned address and ends the kernel. A
/// constant may have any address.
fn aligned(space: Space, address: u64, bytes: usize) -> Done {
    let size = bytes.next_power_of_two().min(MOST_ALIGNED) as u64;
    if address.is_multiple_of(size) || matches!(space, Space::Constant(_) | Space::Constants) {
        return Ok(());
    }
    let text = format!("an access of {bytes} bytes at {address:#x} is not at a multiple of {size}");
    Err(Diagnostic::error("maxwell-run-misaligned", text))
}

/// The largest size in bytes of an access, to which its address is aligned.
const MOST_ALIGNED: usize = 16;

/// Refuses a buffer in a window.
fn apart(address: u64, size: u64) -> Done {
    let windows = [("shared", SHARED_WINDOW), ("local", LOCAL_WINDOW)];
    match windows.iter().find(|(_, at)| address < at + WINDOW && *at < address.saturating_add(size)) {
        Some((name, at)) => {
            let text =
                format!("a buffer of {size} bytes at {address:#x} overlaps the window of {name} memory");
            Err(Diagnostic::error("eval-buffer", text)
                .note(format!("the window has the addresses {at:#x} to {:#x}", at + WINDOW - 1)))
        }
        None => Ok(()),
    }
}

/// Whether all addresses of active lanes in an access of so many components are aligned and in the memory that its instruction names.
fn plain(access: &Access<'_>, count: usize) -> bool {
    let size = (access.bytes * count).next_power_of_two().min(MOST_ALIGNED) as u32;
    let active = |lane: usize| 0u32.wrapping_sub(access.lanes >> lane & 1);
    let [low, high] = access.address.map(|plane| plane.0.iter().enumerate());
    let low = low.fold(0, |all, (lane, low)| all | low & active(lane));
    low & (size - 1) == 0
        && match access.space {
            // Windows are below 4 GiB.
            Space::Global => high.fold(true, |all, (lane, high)| all & (high | !active(lane) != 0)),
            Space::Shared => true,
            _ => false,
        }
}

impl Environment for Memory {
    fn bytes(&self) -> usize {
        self.space.bytes() + self.banks.values().map(Vec::len).sum::<usize>() + self.textures.bytes()
    }

    /// A wave of a graphics stage has local and shared memory of its own.
    fn wave(&mut self, _: &[Option<usize>; WAVE]) {
        self.space.begin();
        self.space.enter(0);
    }

    fn textures(&self) -> Vec<(String, &Texture)> {
        self.textures.textures()
    }

    fn sample(&mut self, sample: &Sample<'_>, texel: &mut [Plane; 4]) -> Done {
        self.textures.sample(sample, texel)
    }

    fn store_texel(&mut self, store: &Sample<'_>) -> Done {
        self.textures.store_texel(store)
    }

    /// Reads past the end of a bank are the only accesses outside of memory that end no run.
    fn reached(&self, space: Space, _: usize, address: u64, bytes: usize) -> Option<(Space, u64)> {
        let (memory, at) = shisa_eval::located(space, address);
        let (memory, at) = resolved(memory, at);
        let Space::Constant(bank) = memory else { return Some((memory, at)) };
        let size = self.banks.get(&bank)?.len() as u64;
        (at.saturating_add(bytes as u64) <= size).then_some((memory, at))
    }

    fn load(&mut self, space: Space, lane: usize, address: u64, bytes: &mut [u8]) -> Done {
        match space {
            Space::Constant(bank) => return self.constant(bank, address, bytes),
            Space::Texels => return self.textures.load(space, lane, address, bytes),
            _ => {}
        }
        aligned(space, address, bytes.len())?;
        let (memory, at) = self.held(space, address);
        self.space.load(memory, lane, at, bytes).map_err(|d| stated(d, "load", (space, address), bytes.len()))
    }

    fn store(&mut self, space: Space, lane: usize, address: u64, bytes: &[u8]) -> Done {
        if space == Space::Texels {
            return self.textures.store(space, lane, address, bytes);
        }
        aligned(space, address, bytes.len())?;
        let (memory, at) = self.held(space, address);
        self.space
            .store(memory, lane, at, bytes)
            .map_err(|d| stated(d, "store", (space, address), bytes.len()))
    }

    fn load_lanes(&mut self, access: &Access<'_>, planes: &mut [Plane]) -> Done {
        // A component of 8 bytes has two planes.
        if plain(access, planes.len() / access.bytes.div_ceil(4).max(1)) {
            return self.space.load_lanes(access, planes);
        }
        if let (Space::Constant(bank), Some(address), 4) = (access.space, uniform(access), access.bytes) {
            for (i, plane) in (0..).zip(planes) {
                let mut word = [0; 4];
                self.constant(bank, address + 4 * i, &mut word)?;
                *plane = Plane::splat(u32::from_le_bytes(word));
            }
            return Ok(());
        }
        shisa_eval::load_each(self, access, planes)
    }

    fn store_lanes(&mut self, access: &Access<'_>, values: &[[&Plane; 2]]) -> Done {
        match plain(access, values.len()) {
            true => self.space.store_lanes(access, values),
            false => shisa_eval::store_each(self, access, values),
        }
    }
}

/// The address of all lanes, if they agree.
fn uniform(access: &Access<'_>) -> Option<u64> {
    let [low, high] = access.address;
    let same = |plane: &Plane| plane.0.iter().all(|v| *v == plane.0[0]);
    (same(low) && same(high)).then(|| access.at(0))?
}

/// An error about an access, with the address that the program uses.
fn stated(d: Diagnostic, what: &str, (space, address): (Space, u64), count: usize) -> Diagnostic {
    let name = match space {
        Space::Local => "local",
        Space::Shared => "shared",
        _ => "global",
    };
    let message = format!("a {what} of {count} bytes at {address:#x} is outside of {name} memory");
    Diagnostic { message, ..d }
}

impl Workplace for Memory {
    fn begin(&mut self) {
        self.space.begin();
    }

    fn enter(&mut self, number: u32) {
        self.space.enter(number);
    }
}
