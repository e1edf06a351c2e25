//! The tests that every table of rows must pass, for the test modules of families.

use crate::{
    Form, Insn, Isa, Line, Names, Operand, Parser, Printer, Scan, UNSTATED, Word, audit, determines,
    faithful, lift, parse, print,
};
use alloc::{format, string::String, vec::Vec};
use shisa_diag::Limits;
use shisa_ir::{File, Lifted, parse_lifted, print_lifted};

/// The parameters of the tests for an instruction set.
pub struct Suite<'c, I: Isa> {
    /// A context in which a row is valid and its text complete.
    pub ctx: fn(&Form<I>) -> I::Ctx<'c>,
    /// Corrects bits that random words cannot get right, such as a length that follows from other bits.
    pub tame: fn(&Form<I>, &mut I::Word),
    /// The register files that a row's lift refers to.
    pub files: fn(&Form<I>) -> &'static [File],
    /// Number of random words tried for each row.
    pub words: u32,
}

impl<I: Isa> core::fmt::Debug for Suite<'_, I> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Suite").field("words", &self.words).finish_non_exhaustive()
    }
}

/// The result of [`Suite::run`].
#[derive(Debug)]
pub struct Report {
    /// All faults, as text; empty for sound rows.
    pub faults: Vec<String>,
    /// One step for every example and random word that lifts.
    pub lifted: Vec<Lifted>,
}

/// A small random number generator (SplitMix64).
#[derive(Clone, Debug)]
pub struct Random(pub u64);

impl Random {
    /// The next 64 bits.
    pub fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let a = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let b = (a ^ a >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        b ^ b >> 31
    }
}

/// The text of an instruction.
pub fn text<I: Isa>(insn: &Insn<I>, ctx: I::Ctx<'_>) -> String {
    let mut out = Vec::new();
    print(insn, ctx, &mut Line::new(&mut out));
    String::from_utf8_lossy(&out).into_owned()
}

impl<I: Isa> Suite<'_, I> {
    /// Runs all tests. [`audit`] finds no fault. Every row has an example, and its text and word convert to each other.
    /// Random words of every row decode to the row, and their text parses to the same word or is reported as not
    /// faithful. [`Printer`] and [`Parser`] agree with uncached printing and parsing. Bits that kinds do not name
    /// change nothing. Operands begin as their kinds state. Every row lifts for some word and gives a reason for the
    /// others. Unknown set bits are detected.
    pub fn run(&self) -> Report {
        let mut report = Report { faults: audit::<I>(), lifted: Vec::new() };
        let names = Names::<I>::new();
        for (i, form) in I::table().forms().iter().enumerate() {
            if form.examples.is_empty() {
                report.faults.push(format!("{} has no example", form.name));
            }
            let mut lifts = 0;
            for &(given, word) in form.examples {
                let ctx = (self.ctx)(form);
                let Some(insn) = Insn::<I>::decode(word) else { continue };
                let printed = text(&insn, ctx);
                if printed != given {
                    report.faults.push(format!("{word:x?} prints as `{printed}`, not as `{given}`"));
                }
                match read(&names, given, ctx) {
                    Ok(got) if got == word => {}
                    other => report.faults.push(format!("`{given}` reads as {other:x?}, not as {word:x?}")),
                }
                lifts += u32::from(self.lift(insn, &mut report));
            }
            let (mut printer, mut parser) = (Printer::new(), Parser::new());
            let (mut random, mut others) = (Random(i as u64), Random(!(i as u64)));
            let mut preserved = 0;
            for _ in 0..self.words {
                let word = self.word(form, &mut random);
                let Some(insn) = Insn::<I>::decode(word) else {
                    report.faults.push(format!("{}: {word:x?} does not decode", form.name));
                    continue;
                };
                if !core::ptr::eq(insn.form(), form) {
                    // A row that is declared to win may match the word.
                    continue;
                }
                match self.comes_back(&names, insn) {
                    Ok(whole) => preserved += u32::from(whole),
                    Err(fault) => report.faults.push(fault),
                }
                report.faults.extend(self.printed(insn, &mut printer));
                report.faults.extend(self.parsed(insn, &names, &mut parser));
                for won in Self::won(insn) {
                    report.faults.extend(self.parsed(won, &names, &mut parser));
                }
                report.faults.extend(self.decided(insn, &mut others));
                report.faults.extend(self.begins(insn));
                lifts += u32::from(self.lift(insn, &mut report));
                self.unknown(insn, &mut random, &mut report);
            }
            if preserved == 0 {
                report.faults.push(format!("{}: no random word is preserved by its text", form.name));
            }
            if lifts == 0 {
                report.faults.push(format!("{} never lifts", form.name));
            }
        }
        report.faults.truncate(50);
        report
    }

    /// A word of the row with random bits wherever bits have a meaning. Half of the words are sparse.
    pub fn word(&self, form: &'static Form<I>, random: &mut Random) -> I::Word {
        let mut word = form.template();
        let sparse = random.bits() & 1 != 0;
        for f in form.fields() {
            let mut bits = random.bits();
            if sparse {
                bits &= random.bits() & random.bits();
            }
            f.set(&mut word, bits);
        }
        (self.tame)(form, &mut word);
        word
    }

    /// Prints and parses an instruction. Returns whether the text yields the same word; `false` is allowed only if
    /// [`faithful`] returns false.
    ///
    /// # Errors
    /// The fault, as text.
    pub fn comes_back(&self, names: &Names<I>, insn: Insn<I>) -> Result<bool, String> {
        let ctx = (self.ctx)(insn.form());
        let printed = text(&insn, ctx);
        let whole = faithful(&insn, ctx);
        match read(names, &printed, ctx) {
            Ok(got) if got == insn.word => Ok(whole),
            Ok(got) if !whole => {
                // The text denotes another word: it must be that word's own text.
                let again = Insn::<I>::decode(got).map(|i| text(&i, ctx));
                match again.as_ref() == Some(&printed) {
                    true => Ok(false),
                    false => Err(format!("`{printed}` assembles to {got:x?}, printed as {again:?}")),
                }
            }
            Err(_) if !whole => Ok(false),
            other => Err(format!("{:x?} `{printed}` reads as {other:x?}", insn.word)),
        }
    }

    /// Compares a printer with uncached printing.
    fn printed(&self, insn: Insn<I>, printer: &mut Printer<I>) -> Option<String> {
        let ctx = (self.ctx)(insn.form());
        let (plain, lossless) = (text(&insn, ctx), (insn.unknown_bits(), determines(&insn, ctx)));
        if insn.word.get(0, 1) != 0 {
            // The answer must not depend on what was printed before.
            printer.print(&insn, ctx, &mut Line::new(&mut Vec::new()));
        }
        let mut out = Vec::new();
        let told = printer.print_told(&insn, ctx, &mut Line::new(&mut out));
        let printed = String::from_utf8_lossy(&out);
        (printed != plain || told != lossless).then(|| {
            format!(
                "{:x?} `{plain}` is printed as `{printed}` or its unknown or missing bits differ",
                insn.word
            )
        })
    }

    /// The row with words that belong to the rows that it yields to.
    fn won(insn: Insn<I>) -> impl Iterator<Item = Insn<I>> {
        let form = insn.form();
        let rows = I::table().forms().iter().enumerate();
        let rows = rows.filter(move |(number, other)| {
            form.otherwise && *number < insn.number() || form.yields_to.contains(&Some(other.name))
        });
        let both = rows
            .map(|(_, other)| other)
            .filter(|other| (other.bits ^ form.bits) & other.mask & form.mask == 0);
        both.map(move |other| {
            let mut word = insn.word;
            for bit in (0..128).filter(|bit| other.mask >> bit & 1 != 0) {
                word.set(bit, 1, (other.bits >> bit) as u64 & 1);
            }
            Insn::of(word, insn.number() as u16)
        })
    }

    /// Compares a parser with [`parse`].
    fn parsed(&self, insn: Insn<I>, names: &Names<I>, parser: &mut Parser<I>) -> Option<String> {
        let ctx = (self.ctx)(insn.form());
        let printed = text(&insn, ctx);
        let plain = parse(names, &mut Scan::new(&printed, 0), ctx).map(|insn| insn.word);
        let cached = parser.parse(&mut Scan::new(&printed, 0), ctx).map(|insn| insn.word);
        (plain != cached).then(|| format!("`{printed}` reads as {plain:x?}, with the cache as {cached:x?}"))
    }

    /// Finds an operand that depends on bits which its kind does not name: it differs in a random word of the row in
    /// which the named bits are equal.
    fn decided(&self, insn: Insn<I>, random: &mut Random) -> Option<String> {
        let (form, ctx) = (insn.form(), (self.ctx)(insn.form()));
        let written = |op: &Operand<I>, insn: &Insn<I>| {
            let mut out = Vec::new();
            if op.kind.shown(op, insn, ctx) {
                op.kind.print(op, insn, ctx, &mut Line::new(&mut out));
            }
            (out, op.kind.shown(op, insn, ctx), op.kind.faithful(op, insn, ctx))
        };
        form.prefix().chain(form.operands).chain(form.suffix()).find_map(|op| {
            let bits = op.kind.decided_by(op, ctx)?;
            let other =
                self.word(form, random).without(&bits).or(&insn.word.without(&insn.word.without(&bits)));
            let other = Insn::<I>::decode(other).filter(|other| core::ptr::eq(other.form(), form))?;
            let text =
                format!("{}: {}: {:x?} and {:x?}", form.name, op.kind.describe(), insn.word, other.word);
            (written(op, &insn) != written(op, &other))
                .then(|| format!("{text} differ in bits that it does not name"))
        })
    }

    /// Finds an operand whose text begins with a character that its kind does not state.
    fn begins(&self, insn: Insn<I>) -> Option<String> {
        let (form, ctx) = (insn.form(), (self.ctx)(insn.form()));
        form.operands.iter().filter(|op| op.kind.shown(op, &insn, ctx)).find_map(|op| {
            let mut out = Vec::new();
            op.kind.print(op, &insn, ctx, &mut Line::new(&mut out));
            let allowed = op.kind.begins(op, &insn.word).allows(out.first().copied());
            let read = op.kind.faithful(op, &insn, ctx);
            let text = String::from_utf8_lossy(&out);
            (read && !allowed).then(|| {
                format!("{}: `{text}` begins with a character that its kind does not state", form.name)
            })
        })
    }

    /// Whether the instruction lifts, or its row has no lift yet.
    fn lift(&self, insn: Insn<I>, report: &mut Report) -> bool {
        let mut program = Lifted::new((self.files)(insn.form()));
        match lift(&mut program, insn, (self.ctx)(insn.form()), 0, 1) {
            Ok(()) => {
                let text = print_lifted(&program);
                if parse_lifted(&text, program.files, &Limits::default()).as_ref() != Ok(&program) {
                    report.faults.push(format!(
                        "{:x?}: its lift is not preserved by its text form:\n{text}",
                        insn.word
                    ));
                }
                report.lifted.push(program);
                true
            }
            Err(d) => {
                if d.message.is_empty() || !program.steps.is_empty() {
                    report.faults.push(format!("{:x?} is refused without a reason", insn.word));
                }
                d.code == UNSTATED
            }
        }
    }

    fn unknown(&self, insn: Insn<I>, random: &mut Random, report: &mut Report) {
        let known = insn.form().known();
        let bit = (random.bits() % u64::from(I::Word::BITS)) as u32;
        if known.get(bit, 1) != 0 {
            return;
        }
        let mut word = insn.word;
        let other = 1 - insn.form().template().get(bit, 1);
        word.set(bit, 1, other);
        let Some(changed) = Insn::<I>::decode(word) else { return };
        let noticed = !changed.unknown_bits().is_zero() && !faithful(&changed, (self.ctx)(insn.form()));
        if core::ptr::eq(changed.form(), insn.form()) && !noticed {
            report.faults.push(format!("{}: bit {bit} differs from the filler undetected", insn.form().name));
        }
    }
}

/// Parses a whole line.
fn read<I: Isa>(names: &Names<I>, line: &str, ctx: I::Ctx<'_>) -> Result<I::Word, String> {
    let mut scan = Scan::new(line, 0);
    let insn = parse(names, &mut scan, ctx).map_err(|d| format!("{d}"))?;
    if !scan.blanks().is_empty() {
        return Err(format!("`{}` is left over", scan.rest()));
    }
    Ok(insn.word)
}
