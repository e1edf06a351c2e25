//! One instruction of strict source text, with every fault in it.

use super::error::error;
use super::{names, opcodes};
use crate::operand::{A, B, D, Role};
use crate::{Agal, Ctx, Token};
use alloc::{format, string::String, vec::Vec};
use shisa_diag::{Diagnostic, Severity, Span};
use shisa_rows::{Form, Operand, Scan};

/// An instruction as read.
pub(super) struct Statement {
    /// The row, if the opcode exists.
    pub(super) form: Option<&'static Form<Agal>>,
    /// The token, if there is no fault.
    pub(super) token: Option<Token>,
    /// The range of the whole instruction, without blanks around it.
    pub(super) whole: Span,
    /// The range of the opcode.
    pub(super) opcode: Span,
    /// Destination, first source, second source; empty if not written.
    pub(super) operands: [Span; 3],
}

/// Reads an instruction that extends over all of `text`, which has no comment and no blanks at either end.
pub(super) fn read(text: &mut Scan<'_>, ctx: Ctx<'_>, faults: &mut Vec<Diagnostic>) -> Statement {
    let start = text.pos();
    let word = text.take(in_word);
    let opcode = text.since(start);
    let whole = Span::new(start, start + word.len() + text.rest().len());
    let mut statement = Statement { form: None, token: None, whole, opcode, operands: [Span::default(); 3] };
    let Some(form) = opcodes::find(word) else {
        faults.push(no_such_opcode(word, opcode, whole));
        return statement;
    };
    statement.form = Some(form);
    let before = faults.len();
    let mut reader = Reader { text, ctx, form, faults, token: form.template(), given: 0, open: false };
    reader.attached(word);
    reader.operands(&mut statement.operands);
    reader.rest(whole);
    let token = reader.token;
    let wrong = faults.iter().skip(before).any(|d| d.severity == Severity::Error);
    statement.token = (!wrong).then_some(token);
    statement
}

#[inline]
fn in_word(b: u8) -> bool {
    b.is_ascii_alphanumeric() || b == b'_' || !b.is_ascii()
}

fn no_such_opcode(word: &str, place: Span, whole: Span) -> Diagnostic {
    let stem = word.trim_end_matches(|c: char| c.is_ascii_digit());
    if word.is_empty() || names::register(stem).is_some() {
        return error("asm-no-opcode", "no opcode on this line", whole)
            .help("an instruction begins with its opcode, as in mov oc, v0");
    }
    let small = word.to_ascii_lowercase();
    if small != word && opcodes::find(&small).is_some() {
        let message = format!("unknown opcode \"{word}\"; opcodes are written in lower case");
        return error("asm-unknown-opcode", message, place).write(&small);
    }
    let d = error("asm-unknown-opcode", format!("unknown opcode \"{word}\""), place);
    match word.get(..3).filter(|head| word.len() > 3 && opcodes::find(head).is_some()) {
        Some(head) => d.help(format!("a blank is missing after {head}")),
        None => match opcodes::nearest(word) {
            Some(name) => d.did_you_mean(name),
            None => d,
        },
    }
}

/// Bytes of the text up to a blank or comma outside brackets, or up to `<`.
fn chunk(text: &str) -> usize {
    let mut depth = 0usize;
    let ends = |b: u8| {
        match b {
            b'[' => depth += 1,
            b']' => depth = depth.saturating_sub(1),
            b' ' | b'\t' | b',' | b'<' => return depth == 0,
            _ => {}
        }
        false
    };
    text.bytes().position(ends).unwrap_or(text.len())
}

struct Reader<'r, 't, 'c> {
    text: &'r mut Scan<'t>,
    ctx: Ctx<'c>,
    form: &'static Form<Agal>,
    faults: &'r mut Vec<Diagnostic>,
    token: Token,
    /// The number of operands read, including those with faults.
    given: usize,
    /// Whether a bracket is unclosed: the operands after it cannot be separated.
    open: bool,
}

impl<'t> Reader<'_, 't, '_> {
    /// Consumes a chunk.
    fn chunk(&mut self) -> &'t str {
        let rest = self.text.rest();
        let (head, _) = rest.split_at(chunk(rest));
        self.text.eat_str(head);
        head
    }

    /// Reports text that follows `what` without a blank.
    #[inline]
    fn attached(&mut self, what: &str) {
        if matches!(self.text.peek(), None | Some(b' ' | b'\t' | b',' | b'<')) {
            return;
        }
        let at = self.text.pos();
        let found = self.chunk();
        let message = format!("unexpected \"{found}\" after {what}");
        self.faults.push(error("asm-unexpected", message, self.text.since(at)));
    }

    fn operands(&mut self, spans: &mut [Span; 3]) {
        for op in self.form.operands {
            self.text.blanks();
            if self.given > 0 && self.text.eat(b',') {
                self.text.blanks();
            }
            if matches!(self.text.peek(), None | Some(b'<')) {
                break;
            }
            let (start, rest) = (self.text.pos(), self.text.rest());
            match op.kind.parse(op, &mut self.token, self.text, self.ctx) {
                Ok(_) => {
                    let len = self.text.pos() - start;
                    self.attached(rest.get(..len).unwrap_or_default());
                }
                Err(d) => {
                    self.open |= d.code == "asm-bracket";
                    self.faults.push(d);
                    if !self.text.is_empty() {
                        self.text.rewind(start);
                        self.chunk();
                        self.skip_options(op);
                    }
                }
            }
            self.faults.append(&mut self.text.findings());
            self.given += 1;
            if let Some(span) = [D, A, B].iter().position(|s| *s == op.slot).and_then(|i| spans.get_mut(i)) {
                *span = self.text.since(start);
            }
        }
    }

    /// Checks the text after the operands: nothing, in a valid instruction.
    fn rest(&mut self, whole: Span) {
        let wants = self.form.operands.len();
        if self.given == wants && self.text.is_empty() || self.open {
            return;
        }
        let mut given = self.given;
        let most = self.faults.len() + Scan::MOST;
        while self.faults.len() < most {
            let at = self.text.blanks().pos();
            let comma = self.text.eat(b',');
            self.text.blanks();
            match self.text.peek() {
                None if comma => {
                    let message = format!("unexpected \",\" after {}", self.last());
                    self.faults.push(error("asm-unexpected", message, self.text.since(at)));
                    break;
                }
                None => break,
                Some(b'<') => self.options(),
                Some(_) => {
                    let start = self.text.pos();
                    let found = self.chunk();
                    if comma || is_register(found) {
                        given += 1;
                        continue;
                    }
                    let found =
                        if found.is_empty() { self.text.any().map(String::from) } else { Some(found.into()) };
                    let message =
                        format!("unexpected \"{}\" after {}", found.unwrap_or_default(), self.last());
                    self.faults.push(error("asm-unexpected", message, self.text.since(start)));
                }
            }
        }
        if given != wants {
            let takes = match wants {
                0 => String::from("no operand"),
                1 => String::from("1 operand"),
                n => format!("{n} operands"),
            };
            let tail = if wants == 0 { String::new() } else { format!(", {given} given") };
            let message = format!("{} takes {takes}{tail}", self.form.name);
            self.faults.push(error("asm-operand-count", message, whole).help(self.usage()));
        }
    }

    /// Skips the options of a sampler whose register is wrong.
    fn skip_options(&mut self, op: &Operand<Agal>) {
        if is_sampler(op) && self.text.blanks().peek() == Some(b'<') {
            self.text.take(|b| b != b'>');
            self.text.eat(b'>');
        }
    }

    fn last(&self) -> &'static str {
        if self.given > 0 { "the last operand" } else { self.form.name }
    }

    fn usage(&self) -> String {
        let kinds: Vec<&str> = self.form.operands.iter().map(|o| o.kind.describe()).collect();
        let blank = if kinds.is_empty() { "" } else { " " };
        format!("write {}{blank}{}", self.form.name, kinds.join(", "))
    }

    /// Reports sampler options on an operand that has none.
    fn options(&mut self) {
        let start = self.text.pos();
        self.text.take(|b| b != b'>');
        if !self.text.eat(b'>') {
            self.faults.push(error("asm-bracket", "\"<\" without \">\"", self.text.since(start)));
            return;
        }
        let message = if !self.form.operands.iter().any(is_sampler) {
            format!("{} takes no sampler options", self.form.name)
        } else if self.given == self.form.operands.len() {
            String::from("sampler options a second time")
        } else if !self.text.clone().blanks().is_empty() {
            String::from("sampler options belong after the sampler")
        } else {
            return;
        };
        self.faults.push(error("asm-sampler-option", message, self.text.since(start)));
    }
}

fn is_sampler(op: &Operand<Agal>) -> bool {
    Role::of(op) == Role::Sampler
}

fn is_register(chunk: &str) -> bool {
    let name = chunk.trim_start_matches(|c: char| c.is_ascii_lowercase());
    let (stem, rest) = chunk.split_at(chunk.len() - name.len());
    names::register(stem).is_some() && !rest.starts_with(|c: char| c.is_ascii_uppercase())
}
