//! What a file is, by its content.

#[cfg(feature = "agal")]
pub(crate) mod agal;
#[cfg(feature = "agx")]
mod agx;
#[cfg(feature = "maxwell")]
mod maxwell;
#[cfg(feature = "pica200")]
mod pica200;

#[cfg(feature = "maxwell")]
pub use maxwell::identify_nvn;

use crate::{Isa, Settings};
use serde::{Serialize, Serializer};
use shisa_diag::Confidence;

/// What a file holds.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Identity {
    /// The container: `agal`, `agal-text`, `openfl-glsl`, `swf`, `shbin`, `dvoj`, `cgfx`, `csdr`,
    /// `pica200-text`, `cubin`, `fatbin`, `cuda-host`, `dksh`, `nvn-control`, `nvn-code`, `sph`, `bundles` or `agx`;
    /// `None` when nothing is recognised.
    pub container: Option<&'static str>,
    /// The instruction set of the programs.
    pub isa: Option<Isa>,
    /// The chip, or the version of the instruction set, when it is the same for all programs.
    pub chip: Option<String>,
    /// The stage, when all programs are for the same.
    pub stage: Option<&'static str>,
    /// The programs in the order of the container.
    pub programs: Vec<Part>,
    /// How sure that is; `None` when nothing is recognised.
    #[serde(serialize_with = "or_none")]
    pub confidence: Option<Confidence>,
}

/// A program in its file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Part {
    /// Where in the container it is, or what it is.
    pub name: String,
    /// Its own container, such as `agal`, `agal-text` or `shbin`.
    pub container: &'static str,
    /// The chip, or the version of the instruction set.
    pub chip: Option<String>,
    /// The stage; `None` where it fits several.
    pub stage: Option<&'static str>,
    /// First byte, counted in the file; once decompressed, and in the innermost, of a SWF in a SWF. Of a
    /// shader binary in base64, counted in the binary; of a compressed cubin, once decompressed in that.
    pub offset: usize,
    /// Bytes.
    pub size: usize,
    /// How sure that is.
    #[serde(serialize_with = "name")]
    pub confidence: Confidence,
}

fn name<S: Serializer>(confidence: &Confidence, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(confidence.name())
}

fn or_none<S: Serializer>(confidence: &Option<Confidence>, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(confidence.map_or("none", Confidence::name))
}

#[cfg(any(feature = "agal", feature = "agx"))]
impl Identity {
    /// A file that is one program and nothing else.
    fn alone(isa: Isa, part: Part) -> Identity {
        Identity {
            container: Some(part.container),
            isa: Some(isa),
            chip: part.chip.clone(),
            stage: part.stage,
            confidence: Some(part.confidence),
            programs: vec![part],
        }
    }
}

/// Says what bytes are. Never fails: of what is not recognised, all is `None`.
pub fn identify(bytes: &[u8], settings: &Settings) -> Identity {
    type Family = fn(&[u8], &Settings) -> Option<Identity>;
    let families: &[Family] = &[
        #[cfg(feature = "pica200")]
        pica200::identify,
        #[cfg(feature = "agal")]
        agal::identify,
        // Take bytes without a container for code if they look like it, so they come last.
        #[cfg(feature = "maxwell")]
        maxwell::identify,
        #[cfg(feature = "agx")]
        agx::identify,
    ];
    families.iter().find_map(|family| family(bytes, settings)).unwrap_or_default()
}

/// The instruction set of a program, as the settings say or by its container.
pub(crate) fn program_isa(bytes: &[u8], settings: &Settings) -> crate::Result<Isa> {
    match (settings.isa, bytes) {
        (Some(isa), _) => Ok(isa),
        #[cfg(feature = "agal")]
        (None, [0xa0, ..]) => Ok(Isa::Agal),
        #[cfg(feature = "pica200")]
        (None, _) if shisa_pica200::container::Shbin::sniff(bytes) => Ok(Isa::Pica200),
        #[cfg(feature = "maxwell")]
        (None, _) if shisa_maxwell::container::Container::sniff(bytes, &settings.limits).is_some() => {
            Ok(Isa::Maxwell)
        }
        #[cfg(feature = "agx")]
        (None, _) if crate::parts::file::sniff(bytes) => Ok(Isa::Agx),
        (None, _) => Err(not_recognised(bytes)),
    }
}

/// The refusal of what is not built yet.
#[cfg(all(feature = "maxwell", any(feature = "agal", feature = "pica200", feature = "agx")))]
pub(crate) fn not_built(what: &str) -> crate::Error {
    shisa_diag::Diagnostic::error("not-built", format!("{what} is not built yet")).into()
}

/// The refusal of bytes of no known kind.
pub(crate) fn not_recognised(bytes: &[u8]) -> crate::Error {
    let kinds: Vec<&str> = Isa::ALL.iter().map(|i| i.name()).collect();
    let d = shisa_diag::Diagnostic::error("not-recognised", "this is no program of a known kind");
    let d = d.note(format!("known are: {}", kinds.join(", ")));
    if bytes.is_empty() {
        return d.note("there are no bytes").into();
    }
    let plain = |c: char| !c.is_control() || c.is_ascii_whitespace();
    let text = std::str::from_utf8(bytes).ok().filter(|t| t.chars().all(plain));
    let Some(text) = text else {
        return d.help("--isa takes it as code of an instruction set").into();
    };
    if text.trim_start().starts_with('{') {
        let d = match serde_json::from_str::<serde::de::IgnoredAny>(text) {
            Ok(_) => d.note("this is JSON, but not {code, meta}"),
            Err(e) => d.note(format!("this looks like JSON, and is not: {e}")),
        };
        return d.help("a shader part of AGX is JSON with its code in hexadecimal and its meta").into();
    }
    d.note("this is text")
        .help("assemble a source first: shisa asm FILE -o OUT")
        .help("run, check and translate take sources as they are: listings, sources of PICA200, files named *.agalm, and AGAL that begins with a line such as // agal 1 vertex")
        .into()
}
