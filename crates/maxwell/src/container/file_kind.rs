//! The kinds of files that hold Maxwell programs.

use super::{Cubin, Dksh, Fatbin, Nvn, NvnControl, Raw, elf};
use shisa_diag::{Diagnostic, Limit, Limits};

/// The kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Container {
    /// An ELF file of CUDA code.
    Cubin,
    /// Programs for several chips.
    Fatbin,
    /// A host program or library that contains fatbins.
    Host,
    /// The Switch, for deko3d.
    Dksh,
    /// The Switch: the control file of NVN's pair, without code.
    NvnControl,
    /// The Switch: the code file of NVN's pair.
    NvnCode,
    /// Bundles after a Shader Program Header.
    Sph,
    /// Bundles.
    Bundles,
}

impl Container {
    /// All kinds.
    pub const ALL: [Container; 8] = [
        Container::Cubin,
        Container::Fatbin,
        Container::Host,
        Container::Dksh,
        Container::NvnControl,
        Container::NvnCode,
        Container::Sph,
        Container::Bundles,
    ];

    /// Its contents and layout.
    pub const fn about(self) -> &'static str {
        match self {
            Container::Cubin => {
                "CUDA code for one chip: an ELF file of 64 bits for machine 190. A function K has its code in section .text.K (bits 24 to 31 of sh_info: number of registers), attributes in .nv.info.K, constants in .nv.constantN.K. Bits 0 to 7 of e_flags are the chip."
            }
            Container::Fatbin => {
                "The same CUDA program for several chips. A header of 16 bytes (0xba55ed50, version 1, its size, the bytes after it), then entries: a header with kind (1 PTX, 2 cubin), chip and flags, and the payload, which may be compressed by LZ4 (flag 0x2000) or Zstandard (flag 0x8000)."
            }
            Container::Host => {
                "A program, library or object of the host (ELF, PE, Mach-O, archive) with fatbins in it, found wherever they begin at a multiple of 8 bytes. A fatbin in it keeps its size when code is replaced."
            }
            Container::Dksh => {
                "Shaders for the Switch as uam compiles them for deko3d: a control section with 64 bytes for each program, and a code section. Graphics programs begin with their Shader Program Header; the bank of constants 1 is after the code."
            }
            Container::NvnControl => {
                "The control file of a shader for NVN on the Switch (0x98761234): stage, registers, and the offsets of code and constants in the code file that belongs to it."
            }
            Container::NvnCode => {
                "The code file of a shader for NVN on the Switch (0x12345678): the Shader Program Header at 0x30, code at 0x80, then the bank of constants 1. Only the control file states the offset of the constants."
            }
            Container::Sph => {
                "Graphics code after a Shader Program Header of 80 bytes, which is at the start or, in a code section of the Switch by itself, at 0x30."
            }
            Container::Bundles => {
                "Code without a container: bundles of 32 bytes, each a control word and three instructions. It is identified as code if nearly all instructions are known and have possible control bits."
            }
        }
    }

    /// The name, such as `cubin` or `nvn-code`.
    pub const fn name(self) -> &'static str {
        match self {
            Container::Cubin => "cubin",
            Container::Fatbin => "fatbin",
            Container::Host => "cuda-host",
            Container::Dksh => "dksh",
            Container::NvnControl => "nvn-control",
            Container::NvnCode => "nvn-code",
            Container::Sph => "sph",
            Container::Bundles => "bundles",
        }
    }

    /// Whether programs are only parts of such files, which may be large libraries. The limit `file` then bounds the
    /// bytes of code that are taken from the file, and not its size.
    pub const fn is_large(self) -> bool {
        matches!(self, Container::Cubin | Container::Fatbin | Container::Host)
    }

    /// Refuses files of more bytes than the limit permits.
    pub(super) fn limit(self, bytes: &[u8], limits: &Limits) -> Result<(), Diagnostic> {
        if self.is_large() { Ok(()) } else { limits.check(Limit::File, "bytes of the file", bytes.len()) }
    }

    /// Identifies bytes by their start, or by their contents; `None` if they are unknown. Bytes of no known container
    /// are code if nearly all their words are.
    pub fn sniff(bytes: &[u8], limits: &Limits) -> Option<Container> {
        let raw = Raw::of(bytes);
        Some(match () {
            () if Cubin::sniff(bytes) => Container::Cubin,
            () if Fatbin::sniff(bytes) => Container::Fatbin,
            () if Dksh::sniff(bytes) => Container::Dksh,
            () if NvnControl::sniff(bytes) => Container::NvnControl,
            () if Nvn::sniff(bytes) => Container::NvnCode,
            () if host(bytes) && Fatbin::find(bytes, limits).map_or(true, |f| !f.is_empty()) => {
                Container::Host
            }
            () if bytes.len() <= limits.file && raw.sniff(bytes).is_some() => Container::of_raw(&raw),
            () => return None,
        })
    }

    /// What bytes are that are known to be code without another container.
    pub fn of_code(bytes: &[u8]) -> Container {
        Container::of_raw(&Raw::of(bytes))
    }

    fn of_raw(raw: &Raw) -> Container {
        match raw.header {
            Some(_) => Container::Sph,
            None => Container::Bundles,
        }
    }
}

/// Whether bytes begin like a program, library, object or archive of a common host.
fn host(bytes: &[u8]) -> bool {
    let archive = bytes.starts_with(b"!<arch>\n");
    let windows = bytes.starts_with(b"MZ");
    let object = bytes.starts_with(b"\x64\x86");
    elf::machine(bytes).is_some() || archive || windows || object || bytes.starts_with(b"\xcf\xfa\xed\xfe")
}
