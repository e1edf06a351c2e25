//! Attributes of `.nv.info` sections.
//!
//! An attribute is two bytes, a format and a code, then a value as the format says. `.nv.info` is about
//! functions by their symbols, `.nv.info.K` about the kernel `K`. The names are those that NVIDIA's tools print.

use alloc::{format, string::String, vec::Vec};
use shisa_diag::Record;

/// An attribute as it is in its section.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Attribute<'a> {
    /// From the start of the section.
    pub offset: usize,
    /// Its kind; [`Attribute::known`] names it.
    pub code: u8,
    /// Its value.
    pub value: Value<'a>,
}

/// The value of an attribute, by its format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Value<'a> {
    /// `EIFMT_NVAL`, 1: none. The two bytes after the code, usually 0.
    None(u16),
    /// `EIFMT_BVAL`, 2: one byte, and one that fills.
    Byte(u8, u8),
    /// `EIFMT_HVAL`, 3: two bytes.
    Half(u16),
    /// `EIFMT_SVAL`, 4: as many bytes as the two after the code say.
    Bytes(&'a [u8]),
}

impl Value<'_> {
    /// The name of its format as NVIDIA's tools print it.
    pub const fn format(self) -> &'static str {
        match self {
            Value::None(_) => "EIFMT_NVAL",
            Value::Byte(..) => "EIFMT_BVAL",
            Value::Half(_) => "EIFMT_HVAL",
            Value::Bytes(_) => "EIFMT_SVAL",
        }
    }
}

/// The meaning of the words of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Shape {
    /// There are none.
    Nothing,
    /// Plain numbers.
    Words,
    /// Groups of the given number of words, one of which, counted from 0, is the offset in bytes of an instruction in
    /// the kernel's code.
    Places {
        /// The words of a group.
        words: u8,
        /// The index of the offset.
        at: u8,
    },
    /// Numbers of symbols.
    Symbols,
    /// The number of a symbol, and a number.
    SymbolNumber,
    /// The symbol of a section, then the offset of the parameters (16 bits) and their size in bytes (16 bits).
    ParameterBank,
    /// Index, then number (16 bits) and offset (16 bits), then alignment and size.
    Parameter,
    /// Offset of an instruction with indirect targets, a number, how many targets, then the targets; again for each.
    Branches,
}

/// An instruction with indirect targets, as attributes of the shape [`Shape::Branches`] list it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Branch {
    /// Its offset in the kernel's code, in bytes.
    pub place: u32,
    /// Not documented; 0 for `SYNC` and `BRK`.
    pub number: u32,
    /// Its targets, in bytes.
    pub targets: Vec<u32>,
}

impl Branch {
    /// The words that list it.
    pub fn words(&self) -> impl Iterator<Item = u32> + '_ {
        [self.place, self.number, self.targets.len() as u32].into_iter().chain(self.targets.iter().copied())
    }
}

/// A code that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// The code.
    pub code: u8,
    /// The name.
    pub name: &'static str,
    /// The meaning of its words.
    pub shape: Shape,
    /// Its meaning.
    pub meaning: &'static str,
}

const fn known(code: u8, name: &'static str, shape: Shape, meaning: &'static str) -> Known {
    Known { code, name, shape, meaning }
}

use Shape::{Branches, Nothing, Parameter, ParameterBank, Places, SymbolNumber, Symbols, Words};

/// Offsets only.
const PLACES: Shape = Places { words: 1, at: 0 };

/// The codes that have names, in order.
#[rustfmt::skip]
pub const ATTRIBUTES: &[Known] = &[
    known(0x00, "EIATTR_ERROR", Words, "Not documented."),
    known(0x01, "EIATTR_PAD", Words, "Fills room."),
    known(0x02, "EIATTR_IMAGE_SLOT", Words, "The slot of a texture, sampler or surface."),
    known(0x03, "EIATTR_JUMPTABLE_RELOCS", Words, "Relocations of tables of jumps."),
    known(0x04, "EIATTR_CTAIDZ_USED", Nothing, "The kernel reads the third component of its block's number."),
    known(0x05, "EIATTR_MAX_THREADS", Words, "The largest block that the kernel may be launched with, in each direction."),
    known(0x06, "EIATTR_IMAGE_OFFSET", Words, "The offset of the handle of a texture, sampler or surface."),
    known(0x07, "EIATTR_IMAGE_SIZE", Words, "Bytes of the handle of a texture, sampler or surface."),
    known(0x08, "EIATTR_TEXTURE_NORMALIZED", Words, "Whether coordinates of a texture run from 0 to 1."),
    known(0x09, "EIATTR_SAMPLER_INIT", Words, "The first state of a sampler."),
    known(0x0a, "EIATTR_PARAM_CBANK", ParameterBank, "The section of constants that receives the parameters, and their offset and size in it."),
    known(0x0b, "EIATTR_SMEM_PARAM_OFFSETS", Words, "The offset of parameters in shared memory."),
    known(0x0c, "EIATTR_CBANK_PARAM_OFFSETS", Words, "The offset of parameters in the bank of constants."),
    known(0x0d, "EIATTR_SYNC_STACK", Words, "The depth of the stack of synchronisation."),
    known(0x0e, "EIATTR_TEXID_SAMPID_MAP", Words, "The pairs of textures and samplers."),
    known(0x0f, "EIATTR_EXTERNS", Symbols, "Functions that are defined elsewhere."),
    known(0x10, "EIATTR_REQNTID", Words, "The only size of block that the kernel may be launched with."),
    known(0x11, "EIATTR_FRAME_SIZE", SymbolNumber, "Bytes of a function's own stack frame."),
    known(0x12, "EIATTR_MIN_STACK_SIZE", SymbolNumber, "The smallest stack in bytes that a function needs, including its callees."),
    known(0x13, "EIATTR_SAMPLER_FORCE_UNNORMALIZED", Words, "Samplers whose coordinates count texels."),
    known(0x14, "EIATTR_BINDLESS_IMAGE_OFFSETS", Symbols, "The offsets of handles of bindless textures and surfaces."),
    known(0x15, "EIATTR_BINDLESS_TEXTURE_BANK", Words, "The bank of constants that holds handles of textures."),
    known(0x16, "EIATTR_BINDLESS_SURFACE_BANK", Words, "The bank of constants that holds handles of surfaces."),
    known(0x17, "EIATTR_KPARAM_INFO", Parameter, "A parameter: its number, its offset from the first one, and its size in bytes."),
    known(0x18, "EIATTR_SMEM_PARAM_SIZE", Words, "Bytes of parameters in shared memory."),
    known(0x19, "EIATTR_CBANK_PARAM_SIZE", Words, "Bytes of parameters in the bank of constants."),
    known(0x1a, "EIATTR_QUERY_NUMATTRIB", Words, "The number of properties that are queried of textures, samplers and surfaces."),
    known(0x1b, "EIATTR_MAXREG_COUNT", Words, "The most registers that the compiler was allowed."),
    known(0x1c, "EIATTR_EXIT_INSTR_OFFSETS", PLACES, "The offsets of the EXIT instructions."),
    known(0x1d, "EIATTR_S2RCTAID_INSTR_OFFSETS", PLACES, "Where the number of the block is read."),
    known(0x1e, "EIATTR_CRS_STACK_SIZE", Words, "Bytes of the stack of calls and divergence."),
    known(0x1f, "EIATTR_NEED_CNP_WRAPPER", Nothing, "The kernel launches kernels."),
    known(0x20, "EIATTR_NEED_CNP_PATCH", Nothing, "The kernel launches kernels, and is patched for that."),
    known(0x21, "EIATTR_EXPLICIT_CACHING", Nothing, "Loads state how they are cached."),
    known(0x22, "EIATTR_ISTYPEP_USED", Nothing, "The address space of addresses is queried."),
    known(0x23, "EIATTR_MAX_STACK_SIZE", Words, "The most bytes of stack that is ever needed."),
    known(0x24, "EIATTR_SUQ_USED", Nothing, "Properties of surfaces are queried."),
    known(0x25, "EIATTR_LD_CACHEMOD_INSTR_OFFSETS", PLACES, "The offsets of loads that state how they are cached."),
    known(0x26, "EIATTR_LOAD_CACHE_REQUEST", SymbolNumber, "Whether a function requests cached loads."),
    known(0x27, "EIATTR_ATOM_SYS_INSTR_OFFSETS", PLACES, "The offsets of atomics of the whole system."),
    known(0x28, "EIATTR_COOP_GROUP_INSTR_OFFSETS", PLACES, "The offsets of instructions of cooperative groups."),
    known(0x29, "EIATTR_COOP_GROUP_MASK_REGIDS", Words, "For each offset of EIATTR_COOP_GROUP_INSTR_OFFSETS the register that holds the mask of its group; 0xffffffff for none."),
    known(0x2a, "EIATTR_SW1850030_WAR", Nothing, "The code works around hardware bug 1850030."),
    known(0x2b, "EIATTR_WMMA_USED", Nothing, "Matrix instructions are used."),
    known(0x2c, "EIATTR_HAS_PRE_V10_OBJECT", Nothing, "An object of a toolkit before 10.0 was linked in."),
    known(0x2d, "EIATTR_ATOMF16_EMUL_INSTR_OFFSETS", PLACES, "Where atomics on halves are emulated."),
    known(0x2e, "EIATTR_ATOM16_EMUL_INSTR_REG_MAP", Places { words: 2, at: 0 }, "Where atomics on 16 bits are emulated, each with a register."),
    known(0x2f, "EIATTR_REGCOUNT", SymbolNumber, "How many registers a function uses."),
    known(0x30, "EIATTR_SW2393858_WAR", Nothing, "The code works around hardware bug 2393858."),
    known(0x31, "EIATTR_INT_WARP_WIDE_INSTR_OFFSETS", PLACES, "The offsets of instructions that read the whole warp."),
    known(0x32, "EIATTR_SHARED_SCRATCH", Words, "Shared memory that the compiler uses: where, and how many bytes."),
    known(0x33, "EIATTR_STATISTICS", Words, "Counts of the compiler."),
    known(0x34, "EIATTR_INDIRECT_BRANCH_TARGETS", Branches, "The offsets of instructions that go to a mark or to a register, each with the offsets of its targets."),
    known(0x35, "EIATTR_SW2861232_WAR", Nothing, "The code works around hardware bug 2861232."),
    known(0x36, "EIATTR_SW_WAR", Words, "Hardware bugs that the code works around, a bit each."),
    known(0x37, "EIATTR_CUDA_API_VERSION", Words, "The version of CUDA, times ten: 129 is 12.9."),
    known(0x38, "EIATTR_NUM_MBARRIERS", Words, "How many barriers in memory are used."),
    known(0x39, "EIATTR_MBARRIER_INSTR_OFFSETS", Places { words: 4, at: 0 }, "Where barriers in memory are used, each with a register, an offset, and what is done."),
    known(0x3a, "EIATTR_COROUTINE_RESUME_ID_OFFSETS", Places { words: 2, at: 1 }, "The offsets at which coroutines continue, each after its number."),
    known(0x3b, "EIATTR_SAM_REGION_STACK_SIZE", SymbolNumber, "Bytes of stack of a function's SAM region."),
    known(0x3c, "EIATTR_PER_REG_TARGET_PERF_STATS", Words, "Counts of the compiler for each number of registers."),
    known(0x3d, "EIATTR_CTA_PER_CLUSTER", Words, "Blocks in a cluster."),
    known(0x3e, "EIATTR_EXPLICIT_CLUSTER", Nothing, "The kernel states the size of its clusters."),
    known(0x3f, "EIATTR_MAX_CLUSTER_RANK", Words, "The most blocks in a cluster."),
    known(0x40, "EIATTR_INSTR_REG_MAP", Words, "Instructions with their registers, in an unknown format."),
    known(0x41, "EIATTR_RESERVED_SMEM_USED", Nothing, "Reserved shared memory is used."),
    known(0x42, "EIATTR_RESERVED_SMEM_0_SIZE", Words, "Bytes of reserved shared memory."),
    known(0x43, "EIATTR_UCODE_SECTION_DATA", Words, "Not documented."),
    known(0x44, "EIATTR_UNUSED_LOAD_BYTE_OFFSET", Places { words: 2, at: 0 }, "The offsets of loads with unused bytes, each with a mask of those bytes."),
    known(0x45, "EIATTR_KPARAM_INFO_V2", Words, "A parameter of a kernel with more than 4 KiB of them."),
    known(0x46, "EIATTR_SYSCALL_OFFSETS", PLACES, "Where the system is called."),
    known(0x47, "EIATTR_SW_WAR_MEMBAR_SYS_INSTR_OFFSETS", PLACES, "The offsets at which code works around a bug of MEMBAR.SYS."),
    known(0x48, "EIATTR_GRAPHICS_GLOBAL_CBANK", Words, "The bank of constants with the globals of graphics code."),
    known(0x49, "EIATTR_SHADER_TYPE", Words, "The stage of graphics code."),
    known(0x4a, "EIATTR_VRC_CTA_INIT_COUNT", Words, "Not documented."),
    known(0x4b, "EIATTR_TOOLS_PATCH_FUNC", Symbols, "Functions that tools patch."),
    known(0x4c, "EIATTR_NUM_BARRIERS", Words, "How many barriers of the block are used."),
    known(0x4d, "EIATTR_TEXMODE_INDEPENDENT", Nothing, "Textures and samplers are numbered by themselves."),
    known(0x4e, "EIATTR_PERF_STATISTICS", Words, "Counts of the compiler."),
    known(0x4f, "EIATTR_AT_ENTRY_FRAGMENTS", Words, "Not documented."),
    known(0x50, "EIATTR_SPARSE_MMA_MASK", Words, "Not documented."),
    known(0x51, "EIATTR_TCGEN05_1CTA_USED", Nothing, "Matrix instructions of one block are used."),
    known(0x52, "EIATTR_TCGEN05_2CTA_USED", Nothing, "Matrix instructions of two blocks are used."),
    known(0x53, "EIATTR_GEN_ERRBAR_AT_EXIT", Nothing, "There is an error barrier before each EXIT."),
    known(0x54, "EIATTR_REG_RECONFIG", Words, "The number of registers changes while the kernel runs."),
    known(0x55, "EIATTR_ANNOTATIONS", Words, "Not documented."),
    known(0x57, "EIATTR_STACK_CANARY_TRAP_OFFSETS", PLACES, "Where code traps when the stack was overwritten."),
    known(0x58, "EIATTR_STUB_FUNCTION_KIND", Words, "Not documented."),
    known(0x59, "EIATTR_LOCAL_CTA_ASYNC_STORE_OFFSETS", PLACES, "Where stores of the block itself are asynchronous."),
    known(0x5a, "EIATTR_MERCURY_FINALIZER_OPTIONS", Words, "Options of a later step of the toolkit."),
];

impl<'a> Attribute<'a> {
    /// The known facts about its code.
    pub fn known(&self) -> Option<&'static Known> {
        let at = ATTRIBUTES.binary_search_by_key(&self.code, |k| k.code).ok()?;
        ATTRIBUTES.get(at)
    }

    /// Its value as words of 32 bits, the last one filled up with zeros.
    pub fn words(&self) -> Vec<u32> {
        match self.value {
            Value::None(_) => Vec::new(),
            Value::Byte(value, _) => alloc::vec![value.into()],
            Value::Half(value) => alloc::vec![value.into()],
            Value::Bytes(bytes) => {
                let word = |c: &[u8]| c.iter().rev().fold(0, |all, b| all << 8 | u32::from(*b));
                bytes.chunks(4).map(word).collect()
            }
        }
    }

    /// The instructions that it lists with their targets, in its order; none if it has another shape. A list that
    /// ends early yields its complete entries.
    pub fn branches(&self) -> Vec<Branch> {
        let mut found = Vec::new();
        if self.known().is_none_or(|k| k.shape != Branches) {
            return found;
        }
        let words = self.words();
        let mut rest = words.as_slice();
        while let [place, number, count, behind @ ..] = rest {
            let (targets, others) = behind.split_at(behind.len().min(*count as usize));
            found.push(Branch { place: *place, number: *number, targets: targets.to_vec() });
            rest = others;
        }
        found
    }

    /// One line: name, then value; `symbol` names symbols by their numbers. Unknown codes are numbers.
    pub fn text(&self, symbol: &dyn Fn(u32) -> Option<String>) -> String {
        let known = self.known();
        let name = known.map_or_else(|| format!("{:#04x}", self.code), |k| k.name.into());
        let named = |n: u32| symbol(n).unwrap_or_else(|| format!("symbol {n}"));
        let words = self.words();
        let value = match (known.map_or(Words, |k| k.shape), words.as_slice()) {
            (Symbols, words) => words.iter().map(|w| named(*w)).collect::<Vec<_>>().join(" "),
            (SymbolNumber, [of, value]) => format!("{} {value}", named(*of)),
            (ParameterBank, [of, at]) => {
                format!("{} at {:#x}, {:#x} bytes", named(*of), at & 0xffff, at >> 16)
            }
            (Parameter, [_, place, size]) => {
                format!("parameter {} at {:#x}, {:#x} bytes", place & 0xffff, place >> 16, size >> 18)
            }
            (_, words) => words.iter().map(|w| format!("{w:#x}")).collect::<Vec<_>>().join(" "),
        };
        if value.is_empty() { name } else { format!("{name} {value}") }
    }
}

/// The attributes of a section, in order; if one cannot be read, its offset, and the iteration ends.
pub fn attributes(data: &[u8]) -> impl Iterator<Item = Result<Attribute<'_>, usize>> {
    let mut at = 0;
    core::iter::from_fn(move || {
        let head = data.get(at..).filter(|rest| !rest.is_empty())?;
        let offset = core::mem::replace(&mut at, data.len());
        let Some(entry) = Record::<4>::at(head, 0) else {
            return Some(Err(offset));
        };
        let mut len = 4;
        let value = match entry.byte::<0>() {
            1 => Value::None(entry.half::<2>()),
            2 => Value::Byte(entry.byte::<2>(), entry.byte::<3>()),
            3 => Value::Half(entry.half::<2>()),
            4 => {
                len += usize::from(entry.half::<2>());
                match head.get(4..len) {
                    Some(bytes) => Value::Bytes(bytes),
                    None => return Some(Err(offset)),
                }
            }
            _ => return Some(Err(offset)),
        };
        at = offset + len;
        Some(Ok(Attribute { offset, code: entry.byte::<1>(), value }))
    })
}
