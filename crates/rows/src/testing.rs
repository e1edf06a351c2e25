//! The tests that every table of rows must pass, for the families' own test modules.

use crate::{
    Form, Insn, Isa, Line, Names, Operand, Parser, Printer, Scan, UNSTATED, Word, audit, faithful, lift,
    parse, print, tells,
};
use alloc::{format, string::String, vec::Vec};
use shisa_diag::Limits;
use shisa_ir::{File, Lifted, parse_lifted, print_lifted};

/// What the tests must know of an instruction set.
pub struct Suite<'c, I: Isa> {
    /// Surroundings in which a row is valid and its text complete.
    pub ctx: fn(&Form<I>) -> I::Ctx<'c>,
    /// Puts right what random bits cannot hit, such as a length that follows from other bits.
    pub tame: fn(&Form<I>, &mut I::Word),
    /// The register files that a row's lift refers to.
    pub files: fn(&Form<I>) -> &'static [File],
    /// Random words tried for each row.
    pub words: u32,
}

impl<I: Isa> core::fmt::Debug for Suite<'_, I> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Suite").field("words", &self.words).finish_non_exhaustive()
    }
}

/// What [`Suite::run`] found.
#[derive(Debug)]
pub struct Report {
    /// Everything that is wrong, in words; empty for sound rows.
    pub faults: Vec<String>,
    /// One step for every example and random word that lifts.
    pub lifted: Vec<Lifted>,
}

/// A small generator of random numbers (splitmix64).
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
    /// Runs all tests: [`audit`]; every row has an example, and its text and word give each other;
    /// random words of every row decode to it, and their text gives them back or says that it cannot;
    /// a printer writes and a parser reads the same; bits that kinds do not name change nothing; operands begin as their kinds say; every row lifts for some word, and says
    /// why for the others; unknown set bits are noticed.
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
            let mut kept = 0;
            for _ in 0..self.words {
                let word = self.word(form, &mut random);
                let Some(insn) = Insn::<I>::decode(word) else {
                    report.faults.push(format!("{}: {word:x?} does not decode", form.name));
                    continue;
                };
                if !core::ptr::eq(insn.form(), form) {
                    // A row that is declared to win may take the word.
                    continue;
                }
                match self.comes_back(&names, insn) {
                    Ok(whole) => kept += u32::from(whole),
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
            if kept == 0 {
                report.faults.push(format!("{}: no random word survives as text", form.name));
            }
            if lifts == 0 {
                report.faults.push(format!("{} never lifts", form.name));
            }
        }
        report.faults.truncate(50);
        report
    }

    /// A word of the row with random bits wherever it gives bits a meaning. Half of them are sparse.
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

    /// Sends an instruction to text and back. Whether the text gives the word back; `false` is right only
    /// where [`faithful`] says so.
    ///
    /// # Errors
    /// What is wrong, in words.
    pub fn comes_back(&self, names: &Names<I>, insn: Insn<I>) -> Result<bool, String> {
        let ctx = (self.ctx)(insn.form());
        let printed = text(&insn, ctx);
        let whole = faithful(&insn, ctx);
        match read(names, &printed, ctx) {
            Ok(got) if got == insn.word => Ok(whole),
            Ok(got) if !whole => {
                // The text stands for another word: it must be that word's own text.
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

    /// What a printer writes and tells otherwise than the row's kinds.
    fn printed(&self, insn: Insn<I>, printer: &mut Printer<I>) -> Option<String> {
        let ctx = (self.ctx)(insn.form());
        let (asked, told) = (text(&insn, ctx), (insn.unknown_bits(), tells(&insn, ctx)));
        let mut out = Vec::new();
        let tells = printer.print_told(&insn, ctx, &mut Line::new(&mut out));
        let printed = String::from_utf8_lossy(&out);
        (printed != asked || tells != told)
            .then(|| format!("{:x?} `{asked}` is printed as `{printed}` or told otherwise", insn.word))
    }

    /// The row with words that belong to the rows that it yields to.
    fn won(insn: Insn<I>) -> impl Iterator<Item = Insn<I>> {
        let form = insn.form();
        let rows = I::table().forms().iter().filter(|other| form.yields_to.contains(&Some(other.name)));
        let both = rows.filter(|other| (other.bits ^ form.bits) & other.mask & form.mask == 0);
        both.map(move |other| {
            let mut word = insn.word;
            for bit in (0..128).filter(|bit| other.mask >> bit & 1 != 0) {
                word.set(bit, 1, (other.bits >> bit) as u64 & 1);
            }
            Insn::of(word, insn.number() as u16)
        })
    }

    /// What a parser reads otherwise than [`parse`].
    fn parsed(&self, insn: Insn<I>, names: &Names<I>, parser: &mut Parser<I>) -> Option<String> {
        let ctx = (self.ctx)(insn.form());
        let printed = text(&insn, ctx);
        let plain = parse(names, &mut Scan::new(&printed, 0), ctx).map(|insn| insn.word);
        let kept = parser.parse(&mut Scan::new(&printed, 0), ctx).map(|insn| insn.word);
        (plain != kept).then(|| format!("`{printed}` reads as {plain:x?}, by a parser as {kept:x?}"))
    }

    /// An operand that other bits decide than its kind says: one that is otherwise in a random word of the row that
    /// has these bits alike.
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

    /// An operand whose text begins otherwise than its kind says.
    fn begins(&self, insn: Insn<I>) -> Option<String> {
        let (form, ctx) = (insn.form(), (self.ctx)(insn.form()));
        form.operands.iter().filter(|op| op.kind.shown(op, &insn, ctx)).find_map(|op| {
            let mut out = Vec::new();
            op.kind.print(op, &insn, ctx, &mut Line::new(&mut out));
            let told = op.kind.begins(op, &insn.word).allows(out.first().copied());
            let read = op.kind.faithful(op, &insn, ctx);
            let text = String::from_utf8_lossy(&out);
            (read && !told).then(|| format!("{}: `{text}` begins otherwise than its kind says", form.name))
        })
    }

    /// Whether the instruction lifts, or its row has no statement yet.
    fn lift(&self, insn: Insn<I>, report: &mut Report) -> bool {
        let mut program = Lifted::new((self.files)(insn.form()));
        match lift(&mut program, insn, (self.ctx)(insn.form()), 0, 1) {
            Ok(()) => {
                let text = print_lifted(&program);
                if parse_lifted(&text, program.files, &Limits::default()).as_ref() != Ok(&program) {
                    report
                        .faults
                        .push(format!("{:x?}: its lift does not come back from text:\n{text}", insn.word));
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
            report.faults.push(format!("{}: bit {bit} is not as usual and nobody notices", insn.form().name));
        }
    }
}

/// Reads a whole line.
fn read<I: Isa>(names: &Names<I>, line: &str, ctx: I::Ctx<'_>) -> Result<I::Word, String> {
    let mut scan = Scan::new(line, 0);
    let insn = parse(names, &mut scan, ctx).map_err(|d| format!("{d}"))?;
    if !scan.blanks().is_empty() {
        return Err(format!("`{}` is left over", scan.rest()));
    }
    Ok(insn.word)
}
