//! Kinds of files that contain shader binaries.

use super::bytes::{u16_at, u32_at};

/// Where an NCCH has its letters: after its signature.
pub(super) const NCCH_MAGIC: usize = 0x100;
/// The unit of offsets in an NCCH and in an NCSD, in bytes.
pub(super) const MEDIA_UNIT: usize = 0x200;
/// The number of the ARM architecture in ELF headers.
const ARM: u16 = 40;
/// Bytes at the start of a `.csdr` in which its outermost element must begin.
const HEAD: usize = 1024;
/// The files that an ExeFS begins with.
const FIRST_FILES: [&[u8; 8]; 4] = [b".code\0\0\0", b"banner\0\0", b"icon\0\0\0\0", b"logo\0\0\0\0"];

/// A file that contains shader binaries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrapper {
    /// `.bcsdr` and other files that begin with `CGFX`.
    Cgfx,
    /// `.csdr`: XML with the binaries in base64.
    Csdr,
    /// `.bch`: models with their shaders.
    Bch,
    /// `.3dsx`: homebrew, with a RomFS if its header has room for one.
    ThreeDsx,
    /// An ELF file for ARM, from which homebrew is made.
    Elf,
    /// An application or its data, with an ExeFS and a RomFS. Its content may be encrypted.
    Ncch,
    /// The files of an application that the system loads, such as its code.
    ExeFs,
    /// The files that an application reads, in a tree of hashes (IVFC).
    RomFs,
    /// `.3ds`, `.cci`: a cartridge, with up to eight NCCHs.
    Ncsd,
    /// `.cia`: an installable title, with NCCHs.
    Cia,
}

impl Wrapper {
    /// All kinds.
    pub const ALL: [Wrapper; 10] = [
        Wrapper::Cgfx,
        Wrapper::Csdr,
        Wrapper::Bch,
        Wrapper::ThreeDsx,
        Wrapper::Elf,
        Wrapper::Ncch,
        Wrapper::ExeFs,
        Wrapper::RomFs,
        Wrapper::Ncsd,
        Wrapper::Cia,
    ];

    /// The name in tables: `cgfx`, `csdr`, `bch`, `3dsx`, `arm-elf`, `ncch`, `exefs`, `romfs`,
    /// `ncsd` or `cia`.
    pub const fn name(self) -> &'static str {
        match self {
            Wrapper::Cgfx => "cgfx",
            Wrapper::Csdr => "csdr",
            Wrapper::Bch => "bch",
            Wrapper::ThreeDsx => "3dsx",
            Wrapper::Elf => "arm-elf",
            Wrapper::Ncch => "ncch",
            Wrapper::ExeFs => "exefs",
            Wrapper::RomFs => "romfs",
            Wrapper::Ncsd => "ncsd",
            Wrapper::Cia => "cia",
        }
    }

    /// The kind of the file; `None` if these are not the first bytes of one.
    pub fn sniff(bytes: &[u8]) -> Option<Wrapper> {
        let begins = |letters: &[u8]| bytes.starts_with(letters);
        // 32 bits, the least significant byte first.
        let elf = || begins(b"\x7fELF\x01\x01") && u16_at(bytes, 0x12) == Some(ARM);
        let signed = |letters: &[u8]| bytes.get(NCCH_MAGIC..).is_some_and(|b| b.starts_with(letters));
        // The size of the header, then type and version 0.
        let cia = || begins(b"\x20\x20\0\0\0\0\0\0") && u32_at(bytes, 0x10).is_some_and(|size| size != 0);
        let exefs = || FIRST_FILES.iter().any(|name| begins(*name)) && u32_at(bytes, 8) == Some(0);
        Some(match () {
            () if begins(b"CGFX") => Wrapper::Cgfx,
            () if begins(b"BCH\0") => Wrapper::Bch,
            () if begins(b"3DSX") => Wrapper::ThreeDsx,
            () if begins(b"IVFC\0\0\x01\0") => Wrapper::RomFs,
            () if elf() => Wrapper::Elf,
            () if signed(b"NCCH") => Wrapper::Ncch,
            () if signed(b"NCSD") => Wrapper::Ncsd,
            () if cia() => Wrapper::Cia,
            () if exefs() => Wrapper::ExeFs,
            () if csdr(bytes) => Wrapper::Csdr,
            () => return None,
        })
    }
}

fn csdr(bytes: &[u8]) -> bool {
    const ELEMENT: &[u8] = b"NintendoWareIntermediateFile";
    let head = bytes.get(..bytes.len().min(HEAD)).unwrap_or_default();
    let xml = head.trim_ascii_start().first() == Some(&b'<') || head.starts_with(b"\xef\xbb\xbf<");
    xml && head.windows(ELEMENT.len()).any(|w| w == ELEMENT)
}
