//! A program as a loader puts it into memory.

use crate::bundle::{self, BUNDLE_BYTES};
use crate::container::sph::LOCAL_SIZES;
use crate::container::{Attribute, Cubin, Dksh, DkshProgram, Function, Own, Section, Sph, Symbol, Value};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::vec::Vec;
use core::ops::Range;
use shisa_diag::bytes::part;
use shisa_diag::{Diagnostic, Limit, Limits, Sink};

/// Where code begins among addresses of functions.
const CODE_ALIGN: u64 = BUNDLE_BYTES as u64;
/// Sections of global memory begin at multiples of this at least.
const GLOBAL_ALIGN: u64 = 256;
/// `EIATTR_MIN_STACK_SIZE` and `EIATTR_FRAME_SIZE`: a function's symbol and its bytes of stack.
const STACKS: [u8; 2] = [0x12, 0x11];

/// A kernel with everything that a loader puts into memory for it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kernel {
    /// The fused words of the kernel, from address 0, and after it of the functions that it refers to.
    pub code: Vec<u128>,
    /// Banks of constants by number, with addresses filled in.
    pub banks: BTreeMap<u8, Vec<u8>>,
    /// Global memory: addresses and contents.
    pub globals: Vec<(u64, Vec<u8>)>,
    /// Bytes of shared memory that the code declares.
    pub shared: u32,
    /// Bytes of a thread's local memory from address 0.
    pub local: u32,
    /// Bytes of a thread's stack; `None` if the cubin does not know, as with recursion.
    pub stack: Option<u32>,
    /// Registers of a thread.
    pub registers: u32,
}

impl Kernel {
    /// Loads a program of a DKSH.
    ///
    /// # Errors
    /// `internal-range` if the file has no such program.
    pub fn of_dksh(file: &Dksh<'_>, program: &DkshProgram) -> Result<Kernel, Diagnostic> {
        let bytes = |range: &Range<usize>| part(file.bytes, range.clone());
        let header = program.header.as_ref().and_then(|header| Sph::at(file.bytes, header.start));
        let [shared, local_low, local_high] = match (program.own, header) {
            (Own::Compute { shared, local_low, local_high, .. }, _) => [shared, local_low, local_high],
            (_, Some(header)) => {
                let [low, high] = local_sizes(&header);
                [0, low, high]
            }
            (_, None) => [0; 3],
        };
        let bundles = bytes(&program.code)?.chunks(BUNDLE_BYTES);
        Ok(Kernel {
            code: bundles.flat_map(|b| bundle::fuse(bundle::words(b))).collect(),
            banks: BTreeMap::from([(1, bytes(&program.constants)?.to_vec())]),
            shared,
            local: local_low,
            stack: Some(local_high),
            registers: program.registers,
            ..Kernel::default()
        })
    }

    /// Loads the code of a graphics program with its header.
    pub fn of_stage(code: &[u8], header: Option<&Sph>, registers: u32) -> Kernel {
        let [local, high] = header.map_or([0; 2], local_sizes);
        let bundles = code.chunks(BUNDLE_BYTES);
        let code = bundles.flat_map(|b| bundle::fuse(bundle::words(b))).collect();
        Kernel { code, local, stack: Some(high), registers, ..Kernel::default() }
    }

    /// Loads a function of a cubin. Its global memory begins at the address `global` or after it.
    ///
    /// # Errors
    /// `cubin-relocation` for each reference that cannot be filled in; `limit-exceeded` if there is more code or memory
    /// than the limits allow.
    pub fn load(
        cubin: &Cubin<'_>,
        function: &Function<'_>,
        global: u64,
        limits: &Limits,
    ) -> Result<Kernel, Vec<Diagnostic>> {
        let loader = Loader::new(cubin, function, global, limits).map_err(|d| alloc::vec![d])?;
        let mut sink = Sink::new(limits.diagnostics);
        let mut filled = |section: usize| {
            let (data, faults) = cubin.relocated(section, &|n, symbol| loader.value(n, symbol), limits);
            sink.extend(faults);
            data
        };
        let mut kernel = Kernel {
            shared: loader.shared,
            stack: stack(cubin, function),
            registers: function.registers.into(),
            ..Kernel::default()
        };
        for (section, _) in &loader.code {
            let bytes = filled(*section);
            kernel.code.extend(bytes.chunks(BUNDLE_BYTES).flat_map(|b| bundle::fuse(bundle::words(b))));
        }
        for bank in cubin.banks().filter(|b| b.function.is_none_or(|f| f == function.name)) {
            kernel.banks.insert(bank.number, filled(bank.section));
        }
        for (section, address) in &loader.globals {
            let Some(described) = cubin.elf.sections.get(*section) else { continue };
            let mut data = filled(*section);
            data.resize(described.size as usize, 0);
            kernel.globals.push((*address, data));
        }
        let faults = sink.finish();
        if faults.is_empty() { Ok(kernel) } else { Err(faults) }
    }
}

/// Bytes of local memory at low and at high addresses.
fn local_sizes(header: &Sph) -> [u32; 2] {
    LOCAL_SIZES.map(|field| header.value(field))
}

/// The bytes of stack that a function's attributes state.
fn stack(cubin: &Cubin<'_>, function: &Function<'_>) -> Option<u32> {
    let bytes = |attribute: &Attribute<'_>| match attribute.value {
        Value::Bytes(bytes) => {
            let (words, _) = bytes.as_chunks::<4>();
            let [symbol, size] = words.iter().map(|w| u32::from_le_bytes(*w)).collect::<Vec<_>>()[..] else {
                return None;
            };
            let named = cubin.symbols.get(symbol as usize).is_some_and(|s| s.name == function.name);
            named.then_some(size)
        }
        _ => None,
    };
    let sizes = cubin.attributes().filter(|(_, a)| STACKS.contains(&a.code));
    // A size that is not known has all its bits set.
    sizes.filter_map(|(_, a)| bytes(&a)).max().filter(|size| *size != u32::MAX)
}

/// The addresses of sections.
struct Loader<'c, 'a> {
    cubin: &'c Cubin<'a>,
    /// Sections of code with their addresses, in ascending order; the kernel's is the first.
    code: Vec<(usize, u64)>,
    /// Sections of global memory with their addresses.
    globals: Vec<(usize, u64)>,
    /// Bytes of shared memory.
    shared: u32,
    /// The addresses of all sections that are in memory; of shared memory the offsets in it.
    placed: BTreeMap<usize, u64>,
}

impl<'c, 'a> Loader<'c, 'a> {
    fn new(
        cubin: &'c Cubin<'a>,
        function: &Function<'_>,
        global: u64,
        limits: &Limits,
    ) -> Result<Self, Diagnostic> {
        let placed = BTreeMap::new();
        let mut loader = Loader { cubin, code: Vec::new(), globals: Vec::new(), shared: 0, placed };
        loader.place_code(function, limits)?;
        loader.place_memory(function, global, limits)?;
        Ok(loader)
    }

    /// Puts the kernel at address 0, and after it the functions that it refers to, directly or not.
    fn place_code(&mut self, function: &Function<'_>, limits: &Limits) -> Result<(), Diagnostic> {
        let code: BTreeSet<usize> = self.cubin.functions.iter().map(|f| f.section).collect();
        let mut order = alloc::vec![function.section];
        let mut seen = BTreeSet::from([function.section]);
        let mut next = 0;
        while let Some(&section) = order.get(next) {
            next += 1;
            for relocation in self.cubin.relocations_of(section) {
                let symbol = self.cubin.symbols.get(relocation.symbol as usize);
                let Some(target) = symbol.map(|s| usize::from(s.section)).filter(|n| code.contains(n)) else {
                    continue;
                };
                if seen.insert(target) {
                    order.push(target);
                }
            }
        }
        let mut at = 0u64;
        for section in order {
            let size = self.cubin.elf.sections.get(section).map_or(0, |s| s.data.len() as u64);
            limits.check(Limit::Instructions, "instructions", (at + size) / 8)?;
            self.code.push((section, at));
            self.placed.insert(section, at);
            at = (at + size).next_multiple_of(CODE_ALIGN);
        }
        Ok(())
    }

    /// Puts the sections of shared memory at offset 0 and after it, those of global memory at `global` and after it.
    fn place_memory(
        &mut self,
        function: &Function<'_>,
        global: u64,
        limits: &Limits,
    ) -> Result<(), Diagnostic> {
        let own = |section: &Section<'_>| {
            let of = section.name.strip_prefix(".nv.shared");
            of.is_some_and(|rest| rest.is_empty() || rest.strip_prefix('.') == Some(function.name))
        };
        let (mut shared, mut at) = (0u64, global);
        for (number, section) in self.cubin.memories() {
            if own(section) {
                shared = shared.next_multiple_of(section.align.clamp(1, GLOBAL_ALIGN));
                self.placed.insert(number, shared);
                shared = shared.saturating_add(section.size);
            } else if section.name.starts_with(".nv.global") {
                at = at.next_multiple_of(GLOBAL_ALIGN);
                self.globals.push((number, at));
                self.placed.insert(number, at);
                at = at.saturating_add(section.size);
            }
            let bytes = shared.saturating_add(at - global);
            limits.check(Limit::Memory, "bytes of shared and global memory", bytes)?;
        }
        self.shared = u32::try_from(shared).unwrap_or(u32::MAX);
        Ok(())
    }

    /// The value of a symbol: an address, or an offset in its bank or in shared memory.
    fn value(&self, _: u32, symbol: &Symbol<'_>) -> Option<u64> {
        let section = usize::from(symbol.section);
        let base = self.placed.get(&section).copied();
        let bank = || self.cubin.bank(section).map(|_| 0);
        Some(base.or_else(bank)?.wrapping_add(symbol.value))
    }
}
