//! The language of picasso, the assembler that 3DS homebrew is written for.
//!
//! # What picasso cannot express
//!
//! A listing must bring back any shader binary, so there are directives for what picasso leaves no
//! choice about. Their numbers are decimal or `0x` hexadecimal, with blanks or commas between them. Names
//! are written in quotes; in them `\xNN` is a byte, and must be written for what is not printable ASCII and for
//! `"`, `\`, `;` and `:`. The order of lines of one kind is the order in the file.
//!
//! | of the file | |
//! |---|---|
//! | `.nopad` | no NOP is put in from here on, as with `--no-nop` and without its warnings |
//! | `.pool VERSION` | the version of the DVLP; with it a file may be without programs |
//! | `.opdesc N BITS [FLAGS]` | descriptor number N and its second word |
//! | `.word BITS` | a word as it is; needs no procedure around it |
//! | `.line "FILE" LINE` | an entry of the line table; an offset may stand for the name |
//! | `.names "BYTES"` | the line table's names as they are, for offsets |
//! | `.layout header N` | bytes of the DVLP's header |
//! | `.layout pool CODE DESCRIPTORS LINES NAMES` | their offsets in the DVLP |
//! | `.layout program AT CONSTANTS LABELS OUTPUTS UNIFORMS SYMBOLS` | of each DVLE, and of its tables |
//! | `.layout size N` | bytes of the file |
//! | `.layout rest AT "BYTES"` | bytes that belong to no table |
//!
//! | of a program | |
//! |---|---|
//! | `.dvle [VERSION [KIND [FLAGS]]]` | what follows is as a further source file, and makes a DVLE |
//! | `.entry WORD END` | where it begins and ends, for a name |
//! | `.masks INPUTS OUTPUTS` | the masks of registers |
//! | `.geometry MODE START VARIABLE FIXED` | the four bytes after them |
//! | `.constant KIND REGISTER W0 W1 W2 W3` | an entry of the table of constants |
//! | `.label ID WORD LENGTH "NAME"` | an entry of the table of labels; or an offset |
//! | `.output KIND REGISTER MASK [UNKNOWN]` | an entry of the table of outputs |
//! | `.uniform "NAME" FIRST LAST` | an entry of the table of uniforms, with the table's numbers; or an offset |
//! | `.symbols "BYTES"` | the names as they are, for offsets |
//!
//! Entries given by these follow those of picasso's directives. A name in quotes goes to the end of
//! the names. The name of a `.uniform` may be used as a register if it is written like one of picasso's
//! (`$` for `.`) and is not used already.
//!
//! Instructions take numbers for names: `call 12, 3` runs three words from word 12 on, `jmpc cmp.x, 26`,
//! `ifc cmp.x, 9, 2` and `for i0, 13` open no block. After all operands `d13` chooses a descriptor. If it
//! is one of `.opdesc` the operands must agree with it in the bits that the instruction reads. Without it
//! the first that agrees is taken, as picasso does.
//!
//! # What else is ours
//!
//! Declarations may choose their registers: `.fvec projection[4] c20`, `.constf half(0.5, 0.5, 0.5, 0.5) c90`.
//! A file of `.nodvle` and such declarations, given first, is a layout that any number of programs share.

mod advice;
mod allocation;
mod arrays;
mod assembler;
mod block;
mod codes;
mod conditions;
mod constant_values;
mod declare;
mod descriptors;
mod directive;
mod directives;
mod editing;
mod extensions;
mod findings;
mod float24;
mod flow;
mod hazards;
mod header;
mod instruction;
mod link;
mod listing;
mod mnemonics;
mod nesting;
mod number;
mod part;
mod read_register;
mod register;
mod source_text;
#[cfg(test)]
mod tests;

pub use codes::CODES;
pub use directive::{PROPERTIES, sniff};
pub use directives::DIRECTIVES;
pub use editing::editing;
pub use listing::listing;
pub(crate) use source_text::identifier;

use crate::container::Shbin;
use alloc::{string::String, vec::Vec};
use assembler::Assembler;
use shisa_diag::{Diagnostic, Limit, Limits, Severity, Span};

/// A source file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source<'s> {
    /// Its name, for messages and line tables.
    pub name: &'s str,
    /// Its text.
    pub text: &'s str,
}

/// Options of assembling.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Options {
    /// Writes what picasso writes even if picasso silently gets it wrong; that is then a warning.
    pub picasso_compatible: bool,
    /// Inserts no NOP where a block ends with a jump or a call; a warning reports where one is missing.
    pub no_padding: bool,
    /// Rounds constants to the nearest float24. Without it they are truncated, as picasso and the library that
    /// consoles run do.
    pub nearest: bool,
    /// Writes a table of labels: those of each file, and its procedures.
    pub labels: bool,
    /// Writes a table with the source line of each word.
    pub lines: bool,
    /// Whether the rules of the hardware are checked, too.
    pub rules: Rules,
}

/// The treatment of findings of the hardware rules.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Rules {
    /// They are not checked.
    #[default]
    Skip,
    /// Warnings: the meaning of the text is clear.
    Warn,
    /// With the severities of the rules. The binary is written in any case.
    Enforce,
}

/// A finding, and its source.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Finding {
    /// Number of the source, from 0.
    pub source: usize,
    /// The finding.
    pub diagnostic: Diagnostic,
}

/// The source line of a word.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WordLine {
    /// Number of the source, from 0.
    pub source: u32,
    /// First byte of the line's code, without blanks and comments.
    pub start: u32,
    /// One past its last byte.
    pub end: u32,
    /// Number of the line, counted from 1.
    pub line: u32,
}

impl WordLine {
    /// The line's code in its source.
    pub const fn span(self) -> Span {
        Span::new(self.start as usize, self.end as usize)
    }
}

/// The source locations of a program's parts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ProgramLines {
    /// Number of its source, from 0.
    pub source: usize,
    /// Its first procedure, or nothing at the start of the source.
    pub start: Span,
    /// The location of the meaning of each entry of its table of outputs.
    pub outputs: Vec<Span>,
}

/// The result of assembling.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Assembly {
    /// The shader binary; `None` if there is an error.
    pub shbin: Option<Shbin>,
    /// Its bytes.
    pub bytes: Option<Vec<u8>>,
    /// A C header with the registers of the uniforms that vertex programs share.
    pub header: String,
    /// All findings, source by source.
    pub findings: Vec<Finding>,
    /// The source line of each word; inserted NOPs have the line that ends a block.
    pub words: Vec<WordLine>,
    /// The same for each program.
    pub programs: Vec<ProgramLines>,
}

/// Assembles sources into one shader binary, a program for each. Reports all errors.
pub fn assemble(sources: &[Source<'_>], options: &Options, limits: &Limits) -> Assembly {
    let whole = sources.iter().map(|s| s.text.len()).fold(0, usize::saturating_add);
    let file = limits.bound(Limit::File);
    if let Err(d) = file.check_up_to(u32::MAX.into(), "bytes of source text", whole) {
        return Assembly::refused(d);
    }
    if let Err(d) = limits.check(Limit::Programs, "sources, each a program", sources.len()) {
        return Assembly::refused(d);
    }
    if sources.is_empty() {
        return Assembly::refused(Diagnostic::error("pica-no-program", "there is no source"));
    }
    let mut asm = Assembler::new(sources, options, limits);
    (0..sources.len()).for_each(|n| asm.read(n));
    let shbin = asm.link();
    let bytes = match asm.sound() {
        true => shbin.write(limits).map_err(|d| asm.report_in(0, d)).ok(),
        false => None,
    };
    let mut done = Assembly {
        shbin: bytes.is_some().then_some(shbin),
        bytes,
        header: asm.header(),
        words: core::mem::take(&mut asm.places),
        programs: asm.program_lines(),
        findings: asm.findings(),
    };
    if options.rules != Rules::Skip {
        done.apply_rules(options.rules, limits);
    }
    done
}

impl Assembly {
    fn refused(diagnostic: Diagnostic) -> Assembly {
        Assembly { findings: alloc::vec![Finding { source: 0, diagnostic }], ..Assembly::default() }
    }
}

impl Assembler<'_, '_> {
    /// Whether there is no error.
    fn sound(&self) -> bool {
        self.sinks.iter().all(|s| s.errors() == 0)
    }

    /// The source locations of the file's programs.
    fn program_lines(&self) -> Vec<ProgramLines> {
        let shown = self.parts.iter().filter(|p| p.hidden.is_none());
        let lines = shown.map(|p| ProgramLines {
            source: p.source,
            start: p.first_procedure.unwrap_or_default().span(),
            outputs: p.outputs.iter().map(|o| o.place.span()).collect(),
        });
        lines.collect()
    }

    /// All findings, in the order of the sources.
    fn findings(self) -> Vec<Finding> {
        let mut all = Vec::new();
        for (source, sink) in self.sinks.into_iter().enumerate() {
            let list = sink.finish_by(|d| (d.severity == Severity::Note, d.offset()));
            all.extend(list.into_iter().map(|diagnostic| Finding { source, diagnostic }));
        }
        all
    }
}
