//! The heads of files and sections.

use super::printed::Printed;
use crate::container::Section;
use alloc::{format, string::String};

/// The chips that flags of files name.
const CHIPS: [u32; 21] =
    [20, 30, 32, 35, 37, 50, 52, 53, 60, 61, 62, 70, 72, 75, 80, 86, 87, 89, 90, 100, 120];
/// The names of flags of files, by their bits.
const FLAGS: [(u32, &str); 5] = [
    (0x100, "EF_CUDA_TEXMODE_UNIFIED"),
    (0x200, "EF_CUDA_TEXMODE_INDEPENDENT"),
    (0x400, "EF_CUDA_64BIT_ADDRESS"),
    (0x800, "EF_CUDA_SW_1729687"),
    (0x1000, "EF_CUDA_SW_1729687_v2"),
];
/// A flag of files that has no text.
const SILENT: u32 = 0x4000;
/// The bits of the file's flags that are neither chips nor one of the flags above.
const OTHERS: u32 = 0xff00_e000;

/// The first line: the flags of a file, and its chip and that of its source.
pub(super) fn flags(flags: u32, chip: u32, source: u32) -> String {
    let mut words = FLAGS.iter().filter(|(bit, _)| flags & bit != 0).map(|(_, name)| String::from(*name));
    let mut text = words.by_ref().fold(String::new(), |all, name| all + &name + " ");
    let mut unknown = flags & OTHERS & !SILENT;
    text += &format!("EF_CUDA_SM{chip}");
    match CHIPS.contains(&source) {
        true => text += &format!(" EF_CUDA_VIRTUAL_SM(EF_CUDA_SM{source})"),
        false => unknown |= source,
    }
    if unknown != 0 {
        text += &format!(" unrecognized:{unknown:x}");
    }
    format!("\t.headerflags\t@\"{text}\"\n")
}

/// The second line of a cubin: the kind of the ELF file.
pub(super) fn kind(kind: u16) -> &'static str {
    match kind {
        1 => "\t.elftype\t@\"ET_REL\"\n",
        2 => "\t.elftype\t@\"ET_EXEC\"\n",
        0xff00 => "\t.elftype\t@\"ET_EWP\"\n",
        _ => "\t.elftype\t@\"\"\n",
    }
}

/// The separator before a section.
pub(super) fn separator(name: &str, out: &mut Printed<'_>) {
    out.text(&format!("\n\n//--------------------- {name:25} --------------------------\n"));
}

/// The kinds of sections.
pub(super) mod kinds {
    pub(in super::super) const PROGRAM: u32 = 1;
    pub(in super::super) const NOTES: u32 = 7;
    pub(in super::super) const NO_BYTES: u32 = 8;
    pub(in super::super) const INFO: u32 = 0x7000_0000;
    pub(in super::super) const CALL_GRAPH: u32 = 0x7000_0001;
    pub(in super::super) const PROTOTYPES: u32 = 0x7000_0002;
}

/// The bits of a section's flags.
mod bits {
    pub(super) const WRITABLE: u64 = 1;
    pub(super) const LOADED: u64 = 2;
    pub(super) const CODE: u64 = 4;
    pub(super) const LINKED: u64 = 0x40;
    pub(super) const LOCAL: u64 = 0x400;
    /// The number of barriers.
    pub(super) const BARRIERS: u64 = 0x7f0_0000;
    /// Flags that nvdisasm looks at.
    pub(super) const ALL: u64 = 0xffff_ffff;
}

/// Whether a section is written at all.
pub(super) fn is_written(section: &Section<'_>) -> bool {
    matches!(section.kind, kinds::PROGRAM | kinds::NOTES | kinds::NO_BYTES | 0x7000_0000..)
        && section.kind != 0x7000_0003
}

/// Whether a section of data has symbols and labels; others are only data.
pub(super) fn has_symbols(kind: u32) -> bool {
    matches!(kind, kinds::PROGRAM | kinds::NOTES | kinds::NO_BYTES)
        || matches!(kind, 0x7000_0006..=0x7000_000a | 0x7000_000e | 0x7000_0012 | 0x7000_0015)
        || matches!(kind, 0x7000_0064..=0x7000_007e)
}

/// The name of a kind.
fn kind_name(kind: u32) -> String {
    let name = match kind {
        kinds::PROGRAM => return "@progbits".into(),
        kinds::NO_BYTES => return "@nobits".into(),
        kinds::NOTES => "SHT_NOTE",
        kinds::INFO => "SHT_CUDA_INFO",
        kinds::CALL_GRAPH => "SHT_CUDA_CALLGRAPH",
        kinds::PROTOTYPES => "SHT_CUDA_PROTOTYPE",
        0x7000_0004 => "SHT_CUDA_METADATA",
        0x7000_0006 => "SHT_CUDA_CONSTANT",
        0x7000_0007 => "SHT_CUDA_GLOBAL",
        0x7000_0008 => "SHT_CUDA_GLOBAL_INIT",
        0x7000_0009 => "SHT_CUDA_LOCAL",
        0x7000_000a => "SHT_CUDA_SHARED",
        0x7000_000b => "SHT_CUDA_RELOCINFO",
        0x7000_000e => "SHT_CUDA_UFT",
        0x7000_0010 => "SHT_CUDA_UFT_INDEX",
        0x7000_0011 => "SHT_CUDA_UFT_ENTRY",
        0x7000_0012 => "SHT_CUDA_UDT",
        0x7000_0014 => "SHT_CUDA_UDT_ENTRY",
        0x7000_0015 => "SHT_CUDA_RESERVED_SHARED",
        0x7000_0064..=0x7000_0075 => return format!("@\"SHT_CUDA_CONSTANT_B{}\"", kind - 0x7000_0064),
        0x7000_0085 | 0x7000_0086 => "",
        _ => return format!("@\"unrecognized:{kind:x}\""),
    };
    format!("@\"{name}\"")
}

/// The directives at the start of a section.
pub(super) fn section(section: &Section<'_>, out: &mut Printed<'_>) {
    let letters = [(bits::LOADED, "a"), (bits::WRITABLE, "w"), (bits::CODE, "x"), (bits::LOCAL, "T")];
    let flags = section.flags & bits::ALL;
    let letters = letters.iter().filter(|(bit, _)| flags & bit != 0).map(|(_, letter)| *letter);
    let letters: String = letters.collect();
    out.text(&format!("\t.section\t{},\"{letters}\",{}\n", section.name, kind_name(section.kind)));
    let others = flags & !(bits::LOADED | bits::WRITABLE | bits::CODE | bits::LOCAL);
    if others != 0 {
        let barriers = (flags & bits::BARRIERS) >> 20;
        let unknown = others & !(bits::BARRIERS | bits::LINKED);
        let mut words = String::new();
        if barriers != 0 {
            words += &format!("SHF_BARRIERS={barriers}");
        }
        if unknown != 0 {
            words += if words.is_empty() { "" } else { " " };
            words += &format!("unrecognized:{unknown:x}");
        }
        out.text(&format!("\t.sectionflags\t@\"{words}\"\n"));
    }
    let registers = section.info >> 24;
    if flags & bits::CODE != 0 && registers != 0 {
        out.text(&format!("\t.sectioninfo\t@\"SHI_REGISTERS={registers}\"\n"));
    }
    if section.align > 1 {
        out.text(&format!("\t.align\t{}\n", section.align));
    }
    if section.entry_size != 0 {
        out.text(&format!("\t.sectionentsize\t{}\n", section.entry_size));
    }
}
