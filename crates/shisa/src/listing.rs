//! Options of listings.

use crate::family::names::Syntax;

/// How to write a listing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Listing {
    /// The tool whose syntax is written.
    pub syntax: Syntax,
    /// Shows which registers are live after each instruction, as a comment.
    pub live: bool,
    /// Shows the offset of each instruction. nvdisasm always does.
    pub offsets: bool,
    /// Shows the bytes of each instruction.
    pub bytes: bool,
    /// In nvdisasm's text: omits the braces around instructions that issue together.
    pub novliw: bool,
    /// In nvdisasm's text of a cubin: omits the targets of instructions that go to a mark or to a register.
    pub ndf: bool,
    /// In nvdisasm's text of a cubin: omits all sections except code.
    pub code: bool,
}

impl Listing {
    /// Text that assembles to the same bytes, without comments.
    pub fn new() -> Listing {
        Listing::default()
    }

    /// Writes the syntax of this tool.
    pub fn syntax(mut self, syntax: Syntax) -> Listing {
        self.syntax = syntax;
        self
    }

    /// Shows which registers are live after each instruction.
    pub fn live(mut self, shown: bool) -> Listing {
        self.live = shown;
        self
    }

    /// Shows the offset of each instruction.
    pub fn offsets(mut self, shown: bool) -> Listing {
        self.offsets = shown;
        self
    }

    /// In nvdisasm's text: omits the braces around instructions that issue together.
    pub fn novliw(mut self, novliw: bool) -> Listing {
        self.novliw = novliw;
        self
    }

    /// In nvdisasm's text of a cubin: omits the targets of instructions that go to a mark or to a register.
    pub fn ndf(mut self, ndf: bool) -> Listing {
        self.ndf = ndf;
        self
    }

    /// In nvdisasm's text of a cubin: omits all sections except code.
    pub fn code(mut self, code: bool) -> Listing {
        self.code = code;
        self
    }

    /// Shows the bytes of each instruction.
    pub fn bytes(mut self, shown: bool) -> Listing {
        self.bytes = shown;
        self
    }
}
