//! The program assembler: lines, directives, the first line, and the rules of the whole program.

use super::assembler::{Assembler, Lines, TokenLine};
use super::directive::{self, FirstLine};
use super::{findings, lenient, statement};
use crate::options::Rules;
use crate::token::TOKEN_BYTES;
use crate::{Ctx, LAST_VERSION, Options, Program};
use alloc::{format, vec::Vec};
use shisa_diag::{Diagnostic, Limit, Limits, Severity, Sink};
use shisa_ir::Stage;
use shisa_rows::Scan;

/// How to assemble.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AsmOptions {
    /// The version. With `None`, that of the first line (`// agal 2 fragment`), else 1.
    pub version: Option<u32>,
    /// The stage. With `None`, that of the first line.
    pub stage: Option<Stage>,
    /// Accepts what AGALMiniAssembler accepts, and yields the same bytes: unknown lines are skipped with a warning,
    /// and the rules of the program are not checked.
    pub lenient: bool,
    /// Does not check the rules of the program, as if the first line had `unchecked`.
    pub unchecked: bool,
    /// The severity of rules that nothing but Flash's table of messages confirms.
    pub rules: Rules,
}

/// The result of assembling.
#[derive(Clone, Debug, Default)]
pub struct Assembly {
    /// The program; `None` if there is an error.
    pub program: Option<Program>,
    /// Bytes that replace the program's header (`.header`).
    pub header: Option<Vec<u8>>,
    /// All findings, in the order of the source.
    pub diagnostics: Vec<Diagnostic>,
    /// The source line of each token.
    pub lines: Vec<TokenLine>,
}

impl Assembly {
    /// The bytes of the program; `None` if there is an error.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        let bytes = self.program.as_ref()?.write();
        let Some(header) = &self.header else { return Some(bytes) };
        let body = bytes.get(crate::HEADER_BYTES..).unwrap_or_default();
        Some([header.as_slice(), body].concat())
    }

    fn refused(d: Diagnostic) -> Self {
        Assembly { diagnostics: alloc::vec![d], ..Assembly::default() }
    }
}

/// Refuses text that is larger than the limit; offsets into it have 32 bits.
pub(crate) fn fits(source: &str, limits: &Limits) -> Result<(), Diagnostic> {
    limits.bound(Limit::File).check_up_to(u32::MAX.into(), "bytes of source text", source.len())
}

/// Assembles a program, and reports every fault in it.
pub fn assemble(source: &str, options: &AsmOptions, limits: &Limits) -> Assembly {
    if let Err(d) = fits(source, limits) {
        return Assembly::refused(d);
    }
    let first = FirstLine::of(source);
    let version = options.version.or(first.map(|f| f.version)).unwrap_or(1);
    let Some(stage) = options.stage.or(first.map(|f| f.stage)) else {
        let d = Diagnostic::error("asm-no-stage", "neither options nor the first line state the stage")
            .at_text(0..0, "")
            .help("write // agal 1 vertex or // agal 1 fragment as the first line")
            .help(
                "if this is not AGAL, state the instruction set: --isa maxwell, --isa agx or --isa pica200",
            );
        return Assembly::refused(d);
    };
    let unchecked = options.unchecked || first.is_some_and(|f| f.unchecked);
    let mut sink = Sink::new(limits.diagnostics);
    if !unchecked && (version == 0 || version > LAST_VERSION) {
        let d = Diagnostic::error("asm-version", format!("AGAL {version} does not exist"));
        let span = if options.version.is_some() { 0..0 } else { first.map_or(0..0, |f| f.span.range()) };
        sink.push(d.at_text(span, "").help(format!("versions are 1 to {LAST_VERSION}")));
    }
    if let Some(first) = first
        && (first.version, first.stage) != (version, stage)
    {
        let text = format!("assembled as AGAL {version} {}, not as the first line says", stage.name());
        sink.push(Diagnostic::warning("asm-first-line", text).at_text(first.span, ""));
    }
    let choices = Options::default();
    let ctx = Ctx { version, stage, options: &choices };
    let mut asm = Assembler {
        source,
        ctx,
        program: Program::new(version, stage),
        header: None,
        lines: Vec::new(),
        sink,
        broken: None,
        limit: limits.bound(Limit::Instructions),
        faults: Vec::new(),
    };
    if options.lenient {
        lenient::read(&mut asm);
    } else {
        asm.read();
        if !unchecked {
            findings::check(&mut asm, options.rules, limits);
        }
    }
    asm.finish()
}

impl Assembler<'_> {
    fn read(&mut self) {
        self.program.tokens.reserve(self.source.len() / 32);
        self.lines.reserve(self.source.len() / 32);
        for line in Lines::new(self.source) {
            if line.brace || line.code.starts_with('.') {
                directive::read(self, line);
            } else {
                let mut text = Scan::new(line.code, line.start);
                let s = statement::read(&mut text, self.ctx, &mut self.faults);
                match s.token {
                    Some(token) => self.push(token, line),
                    None => self.skip(),
                }
                if !self.faults.is_empty() {
                    self.sink.extend(self.faults.drain(..));
                }
            }
            if let Err(d) = self.limit.check("instructions", self.program.tokens.len()) {
                self.sink.push(d);
                break;
            }
        }
        if let Err(d) = self.trailing() {
            self.sink.push(d);
        }
    }

    fn trailing(&self) -> Result<(), Diagnostic> {
        if self.program.trailing.len() < TOKEN_BYTES {
            return Ok(());
        }
        let message = format!(".bytes adds {} bytes after the last token", self.program.trailing.len());
        let d = Diagnostic::error("asm-directive", message).at_text(self.source.len()..self.source.len(), "");
        Err(d.help(format!("{TOKEN_BYTES} bytes are a whole token: write .token")))
    }

    fn finish(self) -> Assembly {
        let sound = self.sink.errors() == 0;
        let diagnostics = self.sink.finish_by(|d| (d.severity == Severity::Note, d.offset()));
        Assembly {
            program: sound.then_some(self.program),
            header: self.header,
            diagnostics,
            lines: self.lines,
        }
    }
}
