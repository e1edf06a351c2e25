//! Programs that are made of parts.

use super::{Coefficient, Part, Role};
use alloc::{string::String, vec::Vec};

/// The parts to link.
#[derive(Clone, Copy, Debug)]
pub struct Parts<'a> {
    /// The part that runs first, if any.
    pub prolog: Option<&'a Part>,
    /// The shader itself.
    pub main: &'a Part,
    /// The part that runs last, if any.
    pub epilog: Option<&'a Part>,
    /// The number of samples of a pixel that are shaded one by one; 0 if all are shaded at once.
    pub samples: u32,
}

impl<'a> Parts<'a> {
    /// The parts that are there, in the order in which they run.
    pub fn each(&self) -> impl Iterator<Item = (Role, &'a Part)> + use<'a> {
        let all = [(Role::Prolog, self.prolog), (Role::Main, Some(self.main)), (Role::Epilog, self.epilog)];
        all.into_iter().filter_map(|(role, part)| Some((role, part?)))
    }
}

/// A program made of parts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Linked {
    /// The instructions.
    pub code: Vec<u8>,
    /// Their metadata.
    pub meta: LinkedMeta,
}

/// The metadata of a program made of parts; fields have the meanings of those of [`crate::part::Meta`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LinkedMeta {
    /// The 64-bit FNV-1a hash of the code, as that of parts.
    pub id: String,
    /// Whether this is a fragment program.
    pub fragment: bool,
    /// The hash of the prolog.
    pub prolog: Option<String>,
    /// The hash of the main part.
    pub main: String,
    /// The hash of the epilog.
    pub epilog: Option<String>,
    /// The number of samples of a pixel that are shaded one by one; 0 if all are shaded at once.
    pub nr_samples_shaded: u32,
    /// Bytes of code.
    pub size: u32,
    /// Registers, in halves: the maximum over its parts.
    pub nr_gprs: u32,
    /// Stack of a thread in units of [`super::STACK_UNIT`] bytes: the maximum over its parts.
    pub scratch_size: u32,
    /// Whether any part reads tile memory.
    pub reads_tib: bool,
    /// Whether any part kills or tests samples.
    pub writes_sample_mask: bool,
    /// Whether any part forbids merging triangles.
    pub disable_tri_merging: bool,
    /// Whether all parts let the hardware skip the program.
    pub tag_write_disable: bool,
    /// Whether any part reads the first vertex or instance.
    pub uses_base_param: bool,
    /// Whether any part fetches texels by number.
    pub uses_txf: bool,
    /// Coefficient registers: the maximum over its parts.
    pub nr_cf: u32,
    /// The varyings bound to them: the main part's, then the prolog's.
    pub bindings: Vec<Coefficient>,
}

/// How the hardware treats the pixels below those of a fragment program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum PassType {
    /// All samples are covered, whatever was drawn before.
    Opaque,
    /// The colour depends on what was drawn before.
    Translucent,
    /// The program determines which samples are covered.
    PunchThrough,
    /// Both.
    TranslucentPunchThrough,
}

impl PassType {
    /// `opaque`, `translucent`, `punch-through` or `translucent-punch-through`.
    pub const fn name(self) -> &'static str {
        match self {
            PassType::Opaque => "opaque",
            PassType::Translucent => "translucent",
            PassType::PunchThrough => "punch-through",
            PassType::TranslucentPunchThrough => "translucent-punch-through",
        }
    }
}

impl LinkedMeta {
    /// How the hardware treats the pixels below those of a fragment program.
    pub const fn pass_type(&self) -> PassType {
        match (self.reads_tib, self.writes_sample_mask) {
            (false, false) => PassType::Opaque,
            (true, false) => PassType::Translucent,
            (false, true) => PassType::PunchThrough,
            (true, true) => PassType::TranslucentPunchThrough,
        }
    }

    /// Whether depth and stencil may be tested before a fragment program.
    pub const fn early_z(&self) -> bool {
        !self.writes_sample_mask
    }

    /// The field of the launch command for the number of registers: groups of eight halves, where 0 is all 32 groups.
    pub const fn register_groups(&self) -> u32 {
        self.nr_gprs.div_ceil(8) % 32
    }
}
