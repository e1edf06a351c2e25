//! Names of registers and sampler options, in every spelling of the published assemblers.

use crate::{RegType, SamplerBits};
use shisa_ir::Stage;
use shisa_rows::Name;

/// The meaning of a register name: the kind, and the stage of the name if another stage has another name for the same
/// kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct RegName {
    pub(crate) kind: RegType,
    pub(crate) only: Option<Stage>,
}

/// Every register name.
pub(crate) const REGISTERS: &[&str] = &[
    "va", "vc", "vt", "vo", "op", "vs", "fc", "ft", "fo", "oc", "fs", "fd", "od", "v", "vi", "fi", "i", "iid",
];

/// Finds a register by name.
#[inline]
pub(crate) fn register(name: &str) -> Option<RegName> {
    let (kind, only) = match name.as_bytes() {
        b"va" => (RegType::ATTRIBUTE, None),
        b"vc" => (RegType::CONSTANT, Some(Stage::Vertex)),
        b"vt" => (RegType::TEMPORARY, Some(Stage::Vertex)),
        b"vo" | b"op" => (RegType::OUTPUT, Some(Stage::Vertex)),
        b"vs" => (RegType::SAMPLER, Some(Stage::Vertex)),
        b"fc" => (RegType::CONSTANT, Some(Stage::Fragment)),
        b"ft" => (RegType::TEMPORARY, Some(Stage::Fragment)),
        b"fo" | b"oc" => (RegType::OUTPUT, Some(Stage::Fragment)),
        b"fs" => (RegType::SAMPLER, Some(Stage::Fragment)),
        b"fd" | b"od" => (RegType::DEPTH, None),
        b"v" | b"vi" | b"fi" | b"i" => (RegType::VARYING, None),
        b"iid" => (RegType::INSTANCE, None),
        _ => return None,
    };
    Some(RegName { kind, only })
}

/// The names that are printed, by stage (vertex first) and kind.
pub(crate) const LABELS: [[Name; 8]; 2] = [
    [n("va"), n("vc"), n("vt"), n("op"), n("v"), n("vs"), n("fd"), n("iid")],
    [n("va"), n("fc"), n("ft"), n("fo"), n("v"), n("fs"), n("fd"), n("iid")],
];
/// Colour output 0.
pub(crate) const COLOUR: Name = n("oc");

const fn n(text: &str) -> Name {
    Name::new(text)
}

/// A group of sampler options that exclude each other.
#[derive(Debug)]
pub(crate) struct Group {
    /// Lowest bit of its four bits.
    pub(crate) shift: u32,
    /// The printed name of each value.
    pub(crate) labels: &'static [Name],
}

/// Dimension, filter, mip, wrap: always written, in this order.
pub(crate) const WRITTEN: [Group; 4] = [
    Group { shift: SamplerBits::DIMENSION_SHIFT, labels: &[n("2d"), n("cube"), n("3d")] },
    Group {
        shift: SamplerBits::FILTER_SHIFT,
        labels: &[
            n("nearest"),
            n("linear"),
            n("anisotropic2x"),
            n("anisotropic4x"),
            n("anisotropic8x"),
            n("anisotropic16x"),
        ],
    },
    Group { shift: SamplerBits::MIP_SHIFT, labels: &[n("nomip"), n("mipnearest"), n("miplinear")] },
    Group {
        shift: SamplerBits::WRAP_SHIFT,
        labels: &[n("clamp"), n("repeat"), n("clamp_u_repeat_v"), n("repeat_u_clamp_v")],
    },
];
/// Texel format: written if it is not the first.
pub(crate) const FORMAT: Group =
    Group { shift: SamplerBits::FORMAT_SHIFT, labels: &[n("rgba"), n("dxt1"), n("dxt5"), n("video")] };
/// Flags by bit: written if set.
pub(crate) const SPECIAL: [Name; 3] = [n("centroid"), n("single"), n("ignoresampler")];

/// A sampler option: a value of a group, or a flag.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct SamplerOption {
    /// Lowest bit of the group's four bits.
    pub(crate) shift: u32,
    /// The value of the group.
    pub(crate) value: u8,
}

/// Every sampler option.
pub(crate) const OPTIONS: &[(&str, SamplerOption)] = &[
    option("2d", SamplerBits::DIMENSION_SHIFT, 0),
    option("cube", SamplerBits::DIMENSION_SHIFT, 1),
    option("3d", SamplerBits::DIMENSION_SHIFT, 2),
    option("nearest", SamplerBits::FILTER_SHIFT, 0),
    option("linear", SamplerBits::FILTER_SHIFT, 1),
    option("anisotropic2x", SamplerBits::FILTER_SHIFT, 2),
    option("anisotropic4x", SamplerBits::FILTER_SHIFT, 3),
    option("anisotropic8x", SamplerBits::FILTER_SHIFT, 4),
    option("anisotropic16x", SamplerBits::FILTER_SHIFT, 5),
    option("nomip", SamplerBits::MIP_SHIFT, 0),
    option("mipnone", SamplerBits::MIP_SHIFT, 0),
    option("mipnearest", SamplerBits::MIP_SHIFT, 1),
    option("miplinear", SamplerBits::MIP_SHIFT, 2),
    option("clamp", SamplerBits::WRAP_SHIFT, 0),
    option("repeat", SamplerBits::WRAP_SHIFT, 1),
    option("wrap", SamplerBits::WRAP_SHIFT, 1),
    option("clamp_u_repeat_v", SamplerBits::WRAP_SHIFT, 2),
    option("repeat_u_clamp_v", SamplerBits::WRAP_SHIFT, 3),
    option("rgba", SamplerBits::FORMAT_SHIFT, 0),
    option("dxt1", SamplerBits::FORMAT_SHIFT, 1),
    option("compressed", SamplerBits::FORMAT_SHIFT, 1),
    option("dxt5", SamplerBits::FORMAT_SHIFT, 2),
    option("compressedalpha", SamplerBits::FORMAT_SHIFT, 2),
    option("video", SamplerBits::FORMAT_SHIFT, 3),
    option("centroid", SamplerBits::SPECIAL_SHIFT, 1),
    option("single", SamplerBits::SPECIAL_SHIFT, 2),
    option("ignoresampler", SamplerBits::SPECIAL_SHIFT, 4),
    // The name of the same bit in the assemblers of 2011 to 2014.
    option("depth", SamplerBits::SPECIAL_SHIFT, 4),
];

const fn option(name: &str, shift: u32, value: u8) -> (&str, SamplerOption) {
    (name, SamplerOption { shift, value })
}

/// Finds a sampler option by name.
pub(crate) fn sampler_option(name: &str) -> Option<SamplerOption> {
    OPTIONS.iter().find(|o| o.0 == name).map(|o| o.1)
}
