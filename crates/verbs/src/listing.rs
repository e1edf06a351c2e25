//! Options of listings.

use serde::Deserialize;
use shisa::data::Syntax;
use shisa::{Isa, Listing};

/// How a listing is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Listed {
    /// The syntax of the text
    #[cfg_attr(feature = "clap", arg(long, value_enum, default_value_t))]
    pub syntax: SyntaxName,
    /// Show the bytes of each instruction
    #[cfg_attr(feature = "clap", arg(long))]
    pub hex: bool,
    /// Show the offset of each instruction
    #[cfg_attr(feature = "clap", arg(long))]
    pub offsets: bool,
    /// In nvdisasm's text, omit the braces around instructions that issue together
    #[cfg_attr(feature = "clap", arg(long))]
    pub novliw: bool,
    /// In nvdisasm's text of a cubin, omit the targets of instructions that go to a mark or to a register
    #[cfg_attr(feature = "clap", arg(long))]
    pub ndf: bool,
    /// In nvdisasm's text of a cubin, omit all sections except code
    #[cfg_attr(feature = "clap", arg(short = 'c', long))]
    pub code: bool,
    /// Show which registers are live after each instruction
    #[cfg_attr(feature = "clap", arg(long))]
    pub live: bool,
}

/// The syntax to write.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum SyntaxName {
    /// The language that `asm` reads
    #[default]
    Default,
    /// Adobe's C++ disassembler (AGAL)
    Adobe,
    /// nvdisasm 12 (Maxwell)
    Nvdisasm,
    /// Mesa 25.2's disassembler (AGX)
    Mesa,
    /// applegpu's disassembler (AGX)
    Applegpu,
}

impl SyntaxName {
    const fn name(self) -> &'static str {
        match self {
            SyntaxName::Default => "default",
            SyntaxName::Adobe => "adobe",
            SyntaxName::Nvdisasm => "nvdisasm",
            SyntaxName::Mesa => "mesa",
            SyntaxName::Applegpu => "applegpu",
        }
    }
}

impl From<SyntaxName> for Syntax {
    fn from(name: SyntaxName) -> Self {
        match name {
            SyntaxName::Default => Syntax::Default,
            SyntaxName::Adobe => Syntax::Adobe,
            SyntaxName::Nvdisasm => Syntax::Nvdisasm,
            SyntaxName::Mesa => Syntax::Mesa,
            SyntaxName::Applegpu => Syntax::Applegpu,
        }
    }
}

impl Listed {
    /// The options as those of the library.
    pub fn listing(&self) -> Listing {
        Listing::new()
            .syntax(self.syntax.into())
            .live(self.live)
            .offsets(self.offsets)
            .bytes(self.hex)
            .novliw(self.novliw)
            .ndf(self.ndf)
            .code(self.code)
    }

    /// Refuses the syntax of a tool for another instruction set than that of a file.
    ///
    /// # Errors
    /// Which instruction set the syntax is for.
    pub fn fits(&self, isa: Option<Isa>) -> Result<(), String> {
        let (Some(isa), Some(of)) = (isa, Syntax::from(self.syntax).isa()) else { return Ok(()) };
        match isa == of {
            true => Ok(()),
            false => {
                Err(format!("syntax {} is for {}, and this is {}", self.syntax.name(), of.name(), isa.name()))
            }
        }
    }
}
