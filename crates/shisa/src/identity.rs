//! The identity of a file, determined by its content.

use crate::Isa;
use serde::{Serialize, Serializer};
use shisa_diag::Confidence;
use shisa_ir::Stage;

/// The contents of a file.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Identity {
    /// The container; `None` if nothing is recognised.
    pub container: Option<Container>,
    /// The instruction set of the programs.
    pub isa: Option<Isa>,
    /// The chip, or the version of the instruction set, if it is the same for all programs.
    pub chip: Option<String>,
    /// The stage, if it is the same for all programs.
    #[serde(serialize_with = "stage_name")]
    pub stage: Option<Stage>,
    /// The programs in the order of the container.
    pub programs: Vec<Entry>,
    /// Programs that the file uses together: the numbers, from 1, of a vertex and a fragment program.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub pairs: Vec<[usize; 2]>,
    /// The confidence of the identification; `None` if nothing is recognised.
    #[serde(serialize_with = "or_none")]
    pub confidence: Option<Confidence>,
}

/// A program in its file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Entry {
    /// Its location in the container, or its kind.
    pub name: String,
    /// Its own container, such as [`Container::Agal`] or [`Container::Shbin`].
    pub container: Container,
    /// The chip, or the version of the instruction set.
    pub chip: Option<String>,
    /// The stage; `None` if it fits several.
    #[serde(serialize_with = "stage_name")]
    pub stage: Option<Stage>,
    /// The offset of its first byte. In a SWF it counts in the decompressed, innermost SWF; in a base64 shader binary
    /// or a compressed cubin, in the decoded bytes; otherwise in the file.
    pub offset: usize,
    /// Size in bytes.
    pub size: usize,
    /// The confidence of the identification.
    #[serde(serialize_with = "name")]
    pub confidence: Confidence,
}

fn name<S: Serializer>(confidence: &Confidence, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(confidence.name())
}

fn or_none<S: Serializer>(confidence: &Option<Confidence>, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(confidence.map_or("none", Confidence::name))
}

fn stage_name<S: Serializer>(stage: &Option<Stage>, to: S) -> Result<S::Ok, S::Error> {
    stage.map(Stage::name).serialize(to)
}

impl Identity {
    /// A file of these programs. It has the chip and the stage that all programs share.
    pub(crate) fn of(
        container: Container,
        isa: Option<Isa>,
        programs: Vec<Entry>,
        confidence: Confidence,
    ) -> Identity {
        let first = programs.first();
        let chip = first.and_then(|f| f.chip.clone());
        let stage = first.and_then(|f| f.stage);
        Identity {
            container: Some(container),
            isa,
            chip: chip.filter(|_| programs.iter().all(|p| Some(&p.chip) == first.map(|f| &f.chip))),
            stage: stage.filter(|_| programs.iter().all(|p| p.stage == stage)),
            confidence: Some(confidence),
            programs,
            pairs: Vec::new(),
        }
    }

    /// A file that is one program and nothing else.
    pub(crate) fn alone(isa: Isa, entry: Entry) -> Identity {
        Identity::of(entry.container, Some(isa), vec![entry.clone()], entry.confidence)
    }

    /// A file that its first bytes identify but that cannot be read.
    pub(crate) fn damaged(container: Container, isa: Option<Isa>) -> Identity {
        Identity::of(container, isa, Vec::new(), Confidence::Possible)
    }
}

/// Declares an enum whose variants have names, which are also their JSON.
macro_rules! named {
    ($(#[$meta:meta])* $Name:ident { $($(#[$about:meta])* $variant:ident = $name:literal,)* }) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[non_exhaustive]
        pub enum $Name {
            $($(#[$about])* $variant,)*
        }

        impl $Name {
            /// All of them.
            pub const ALL: &[$Name] = &[$($Name::$variant,)*];

            /// The name in tables and in JSON.
            pub const fn name(self) -> &'static str {
                match self {
                    $($Name::$variant => $name,)*
                }
            }
        }

        impl std::fmt::Display for $Name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl Serialize for $Name {
            fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
                to.serialize_str(self.name())
            }
        }
    };
}

named! {
    /// How programs are stored.
    Container {
        /// An AGAL program in the binary form that players receive.
        Agal = "agal",
        /// AGAL source.
        AgalText = "agal-text",
        /// GLSL that OpenFL uses in place of AGAL.
        OpenflGlsl = "openfl-glsl",
        /// Flash's format of animations and applications.
        Swf = "swf",
        /// A library of ActionScript with a SWF.
        Swc = "swc",
        /// An application of AIR with SWFs.
        Air = "air",
        /// Another ZIP archive with SWFs.
        Zip = "zip",
        /// A shader binary of the Nintendo 3DS.
        Shbin = "shbin",
        /// An object that the 3DS's linker takes.
        Dvoj = "dvoj",
        /// A model or effect of the 3DS that holds shader binaries.
        Cgfx = "cgfx",
        /// Models of the 3DS with their shaders.
        Bch = "bch",
        /// Homebrew of the 3DS.
        ThreeDsx = "3dsx",
        /// An ELF file for ARM that holds shader binaries.
        ArmElf = "arm-elf",
        /// An application of the 3DS or its data.
        Ncch = "ncch",
        /// The part of an application that the 3DS's system loads.
        ExeFs = "exefs",
        /// The files of an application of the 3DS.
        RomFs = "romfs",
        /// A cartridge of the 3DS.
        Ncsd = "ncsd",
        /// A title for the 3DS that can be installed.
        Cia = "cia",
        /// XML of the 3DS's tools that holds shader binaries.
        Csdr = "csdr",
        /// Source in picasso's language, or a listing of a shader binary.
        Pica200Text = "pica200-text",
        /// CUDA code for one chip.
        Cubin = "cubin",
        /// CUDA code for several chips.
        Fatbin = "fatbin",
        /// A host program or library that contains fatbins.
        CudaHost = "cuda-host",
        /// Shaders for deko3d on the Switch.
        Dksh = "dksh",
        /// The control file of a shader for NVN on the Switch.
        NvnControl = "nvn-control",
        /// The code file of a shader for NVN on the Switch.
        NvnCode = "nvn-code",
        /// Maxwell code after a Shader Program Header.
        Sph = "sph",
        /// Bare Maxwell code.
        Bundles = "bundles",
        /// A listing of Maxwell code.
        MaxwellText = "maxwell-text",
        /// A shader part of AGX.
        AgxPart = "agx-part",
        /// An AGX program that was linked from parts.
        AgxLinked = "agx-linked",
        /// Bare AGX code.
        Agx = "agx",
        /// A binary archive of Metal.
        MetalArchive = "metal-archive",
        /// A library of Metal's intermediate language, without code for a GPU.
        MetalLibrary = "metal-library",
        /// A dump that an AGX driver wrote about its shaders.
        AgxDump = "agx-dump",
        /// A listing of AGX code.
        AgxText = "agx-text",
    }
}
