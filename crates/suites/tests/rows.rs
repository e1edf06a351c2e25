//! Tests of printing, parsing and lifting with an instruction set that is invented for them. It has what rows may have
//! and only some families use: operands before and after all others, older names of suffixes, rows that yield.

use shisa_diag::Diagnostic;
use shisa_ir::{ControlOp, File, FileId, FileKind, Lifted, Mask, Reg, Scalar, Space, Swizzle, Value};
use shisa_rows::testing::{Suite, text};
use shisa_rows::{
    Begins, Details, Facts, Field, Form, Hints, Insn, Isa, Kind, Lift, Line, Memory, Modifier, Names, Number,
    OneOf, Operand, Parser, Printer, Scan, Slot, faithful, layout, lift, parse, unstated,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Invented;

/// The registers: 16 units of 16 bits.
const REGISTERS: FileId = FileId(0);
static FILES: [File; 1] = [File {
    name: "r",
    kind: FileKind::Temp,
    unit_bits: 16,
    units_per_register: 1,
    units: 16,
    scalar: Scalar::I16,
}];

/// A letter after a sign: `@x` before the mnemonic with a blank after it, `&x` at the end with a blank before it.
#[derive(Debug)]
struct Mark(&'static str, &'static str);

impl Kind<Invented> for Mark {
    fn describe(&self) -> &'static str {
        "mark"
    }

    fn print(&self, op: &Operand<Invented>, insn: &Insn<Invented>, _: bool, out: &mut Line<'_>) {
        out.text(self.0);
        out.byte(b'a' + op.field.get(&insn.word) as u8);
        out.text(self.1);
    }

    fn parse(
        &self,
        op: &Operand<Invented>,
        word: &mut u64,
        text: &mut Scan<'_>,
        _: bool,
    ) -> Result<(), Diagnostic> {
        let at = text.pos();
        let letter = text.eat_str(self.0.trim()).then(|| text.any()).flatten();
        let number = letter.and_then(|c| u64::from(c).checked_sub(u64::from('a'))).filter(|n| *n < 4);
        let number = number.ok_or_else(|| Diagnostic::error("asm-operand", "no mark").at_text(at..at, ""))?;
        op.field.set(word, number);
        Ok(())
    }

    fn faithful(&self, _: &Operand<Invented>, _: &Insn<Invented>, _: bool) -> bool {
        true
    }

    fn read(&self, _: &Operand<Invented>, lift: &mut Lift<'_, '_, Invented>) -> Value {
        lift.no_value()
    }
}

impl Details<Invented> for Mark {
    fn optional(&self) -> bool {
        true
    }
}

impl Hints<Invented> for Mark {}

/// A register, `r3`, of one unit, or of two where its number is above 7.
#[derive(Debug)]
struct Register;

impl Kind<Invented> for Register {
    fn describe(&self) -> &'static str {
        "register"
    }

    fn print(&self, op: &Operand<Invented>, insn: &Insn<Invented>, ctx: bool, out: &mut Line<'_>) {
        NUMBER.print(op, insn, ctx, out);
    }

    fn parse(
        &self,
        op: &Operand<Invented>,
        word: &mut u64,
        text: &mut Scan<'_>,
        ctx: bool,
    ) -> Result<(), Diagnostic> {
        NUMBER.parse(op, word, text, ctx)
    }

    fn faithful(&self, _: &Operand<Invented>, _: &Insn<Invented>, _: bool) -> bool {
        true
    }

    fn read(&self, op: &Operand<Invented>, lift: &mut Lift<'_, '_, Invented>) -> Value {
        let number = op.field.get(&lift.insn.word) as u32;
        let scalar = if number > 7 { Scalar::I32 } else { Scalar::I16 };
        let reg = lift.reg(REGISTERS, number, if number > 7 { 2 } else { 1 });
        lift.read(reg, Swizzle::IDENTITY, scalar.by(1))
    }

    fn write(&self, op: &Operand<Invented>, lift: &mut Lift<'_, '_, Invented>, value: Value) {
        let number = op.field.get(&lift.insn.word) as u32;
        let reg = lift.reg(REGISTERS, number, 1);
        lift.write(reg, Mask::first(1), value);
    }
}

impl Details<Invented> for Register {}

impl Hints<Invented> for Register {}

const NUMBER: &dyn Kind<Invented> = &Number { what: "number", prefix: "r", optional: false };

const A: Operand<Invented> = Operand { slot: Slot(0), field: Field::at(16, 4), kind: &Register };
const B: Operand<Invented> = Operand { slot: Slot(1), field: Field::at(20, 4), kind: &Register };
const N: Operand<Invented> = Operand {
    slot: Slot(2),
    field: Field::at(24, 8),
    kind: &Number { what: "count", prefix: "#", optional: true },
};
const WIDE: Operand<Invented> =
    Operand { slot: Slot(3), field: Field::at(24, 20), kind: &Number::new("address") };
const MODE: Operand<Invented> =
    Operand { slot: Slot(4), field: Field::at(36, 2), kind: &OneOf::new("mode", &["one", "two", "", "on"]) };
const EXTRA: Operand<Invented> = Operand {
    slot: Slot(5),
    field: Field::at(38, 2),
    kind: &OneOf::optional("extra", &["", "more", "most"]),
};
const BEFORE: Operand<Invented> = Operand { slot: Slot(6), field: Field::at(10, 2), kind: &Mark("@", " ") };
const AFTER: Operand<Invented> = Operand { slot: Slot(7), field: Field::at(12, 2), kind: &Mark(" &", "") };

const ROUNDS: Modifier = Modifier::new(Field::at(8, 2), &[".X", "", ".Y"]).unwritten(".W");
const OLDER: Modifier = Modifier::new(Field::at(8, 2), &[".OLD", "", ".Y"]);

const fn row(name: &'static str, bits: u128, operands: &'static [Operand<Invented>]) -> Form<Invented> {
    Form::new(name, bits, 0xff, operands, (), nothing).says("Is a test.")
}

fn nothing(_: &mut Lift<'_, '_, Invented>) {}

const ROWS: &[Form<Invented>] = &[
    Form {
        lift: |l| {
            let b = l.src(Slot(1));
            l.set(Slot(0), b);
            l.whole_wave();
        },
        ..row("add", 1, &[A, B, N]).modifiers(&[ROUNDS]).older(&[OLDER]).examples(&[
            ("add   r1, r2", 0x0021_0101),
            ("add.X r1, r2, #3", 0x0321_0001),
            ("@b add.Y r0, r0 &c", 0x2601),
        ])
    },
    row("mode", 2, &[A, MODE, EXTRA]).examples(&[("mode  r1, on, most", 0xb0_0001_0002)]),
    Form {
        lift: |l| {
            let address = l.src(Slot(3));
            let value = l.load(Space::Global, address, Scalar::I32.by(3));
            l.store(Space::Global, address, value);
            l.control_at(ControlOp::Branch, None, address);
        },
        ..row("load", 3, &[WIDE]).close().examples(&[("load 1048575", 0x0fff_ff00_0003)])
    },
    row("end", 4, &[]).bare().examples(&[("end", 4)]),
    Form { lift: unstated, ..row("odd", 5, &[N]).examples(&[("odd   #7", 0x0700_0005)]) },
    Form::new("clear", 6, 0xff00_00ff, &[A], (), nothing)
        .says("Is a test.")
        .examples(&[("clear r1", 0x1_0006)]),
    row("shift", 6, &[A, N]).yields_to("clear").examples(&[("shift r1, #1", 0x0101_0006)]),
    row("set", 7, &[A]).examples(&[("set   r1", 0x1_0007)]),
    Form {
        // Odd numbers are written, which their kind does not allow.
        lift: |l| {
            if l.insn.word >> 24 & 1 != 0 {
                let value = l.i32(0);
                l.set(Slot(3), value);
            }
        },
        ..row("set", 8, &[WIDE]).examples(&[("set   2", 0x0200_0008)])
    },
];

impl Isa for Invented {
    type Word = u64;
    /// Whether the edition is the older one.
    type Ctx<'a> = bool;
    type Attr = ();
    const COLUMN: usize = 5;

    fn table() -> &'static shisa_rows::Table<Self> {
        shisa_rows::table!(Invented, &[ROWS], 0, 4)
    }

    fn prefix() -> &'static [Operand<Self>] {
        &[BEFORE]
    }

    fn suffix() -> &'static [Operand<Self>] {
        &[AFTER]
    }

    fn older(older: bool) -> bool {
        older
    }

    fn edition(older: bool) -> u8 {
        u8::from(older)
    }
}

#[test]
fn its_rows_are_sound() {
    let suite = Suite::<Invented> { ctx: |_| false, tame: |_, _| {}, files: |_| &FILES, words: 300 };
    assert_eq!(suite.run().faults, [""; 0]);
    let suite = Suite::<Invented> { ctx: |_| true, ..suite };
    let older = "1 prints as `add.OLD r0, r0`, not as `add.X r0, r0`";
    assert!(!suite.run().faults.iter().any(|fault| fault == older));
}

/// The word, or the code, message and help of the error.
fn read(line: &str, older: bool) -> Result<u64, (String, String)> {
    let names = Names::<Invented>::new();
    let plain = parse(&names, &mut Scan::new(line, 0), older).map(|insn| insn.word);
    let cached = Parser::<Invented>::new().parse(&mut Scan::new(line, 0), older).map(|insn| insn.word);
    assert_eq!(plain, cached, "{line}");
    plain.map_err(|d| {
        let help: Vec<String> = d.help.iter().map(|help| help.to_string()).collect();
        (format!("{}: {}", d.code, d.message), help.join(" "))
    })
}

#[test]
fn the_layout_of_a_row_names_its_bits_from_the_lowest_up() {
    let of = |form| layout(form).into_iter().map(|(lo, width, what)| format!("{lo} {width} {what}"));
    assert_eq!(
        of(&ROWS[0]).collect::<Vec<_>>(),
        [
            "0 8 0x1",
            "8 2 modifier 1",
            "10 2 mark",
            "12 2 mark",
            "16 4 operand 1, register",
            "20 4 operand 2, register",
            "24 8 operand 3, count"
        ]
    );
    let operands = ["0 8 0x2", "10 2 mark", "12 2 mark", "16 4 operand 1, register", "36 2 operand 2, mode"];
    assert_eq!(of(&ROWS[1]).take(5).collect::<Vec<_>>(), operands);
}

#[test]
fn errors_name_what_is_wrong_and_what_is_meant() {
    for (line, message, help) in [
        ("", "asm-unknown-opcode: expected an opcode", ""),
        ("ad r1", "asm-unknown-opcode: unknown opcode \"ad\"", "did you mean add?"),
        ("xyzzyx r1", "asm-unknown-opcode: unknown opcode \"xyzzyx\"", ""),
        ("add.Z", "asm-unknown-modifier: unknown modifier \".Z\"", "did you mean .X?"),
        (
            "add.Y.Y r1, r2",
            "asm-unknown-modifier: unknown modifier \".Y\"",
            ".Y is in the wrong position, or is repeated",
        ),
        ("add.FGH r1, r2", "asm-unknown-modifier: unknown modifier \".FGH\"", "there are .X .Y .W"),
        ("mode.X r1", "asm-unknown-modifier: unknown modifier \".X\"", "the instruction takes no modifiers"),
        ("add r1", "asm-operand-count: add takes 2 operands, 1 given", ""),
        ("add r1 r2", "asm-operand-count: add takes 2 operands, 1 given", ""),
        ("add r1, r2, #3, #4", "asm-operand-count: add takes only 3 operands", ""),
        ("add r1, r2, #256", "asm-range: the number is above 255", ""),
        ("add r1, r2, r3", "asm-operand-count: add takes only 2 operands", ""),
        ("add r1, 2", "asm-operand: expected r and a number", ""),
        ("add r16, r2", "asm-range: the number is above 15", ""),
        ("load x", "asm-operand: expected a number", ""),
        // The row that is read furthest decides the error, else the first row.
        ("set x", "asm-operand: expected r and a number", ""),
        ("set 2, 3", "asm-operand-count: set takes only 1 operands", ""),
        ("mode r1, three", "asm-operand: expected one of one two on", ""),
        ("mode r1, ones", "asm-operand: expected one of one two on", ""),
        ("mode r1, one, mo", "asm-operand: expected one of more most", ""),
        ("@b end", "asm-operand: end allows no guard or other operand before the mnemonic", ""),
        ("shift r1", "asm-alias-row: with these operands shift would encode another instruction: clear", ""),
        (
            "shift r1, #0",
            "asm-alias-row: with these operands shift would encode another instruction: clear",
            "",
        ),
    ] {
        assert_eq!(read(line, false), Err((message.into(), help.into())), "{line}");
    }
}

#[test]
fn texts_may_be_written_in_other_ways_than_they_are_printed() {
    for (line, older, word) in [
        ("  @b   add.Y r0,r0 &c", false, 0x2601),
        ("@b add.Y r0,r0  &c", false, 0x2601),
        ("@a add.W\tr1 , r2", false, 0x0021_0101),
        ("add.X r0, r0", false, 1),
        ("add.OLD r0, r0", true, 1),
        ("add r0, r0", true, 0x101),
        ("mode r1, one", false, 0x1_0002),
        ("mode r1, two, more", false, 0x50_0001_0002),
        ("odd", false, 5),
        ("shift r2, #255", false, 0xff02_0006),
    ] {
        assert_eq!(read(line, older), Ok(word), "{line}");
    }
    assert!(read("add.OLD r0, r0", false).is_err() && read("add.X r0, r0", true).is_err());
}

#[test]
fn bits_without_a_name_are_printed_as_numbers_and_do_not_come_back() {
    let insn = |word| Insn::<Invented>::decode(word).unwrap();
    for (word, older, expected, whole) in [
        (0x0021_0001, false, "add.X r1, r2", true),
        (0x0021_0001, true, "add.OLD r1, r2", true),
        (0x0021_0301, false, "add   r1, r2", false),
        (0x20_0000_0002, false, "mode  r0, ?2", false),
        (0x30_0000_0002, false, "mode  r0, on", true),
        (0xc0_0000_0002, false, "mode  r0, one, ?3", false),
        (0x8000_0000_0000_0004, false, "end", false),
        (0x0c04, false, "end", false),
    ] {
        let insn = insn(word);
        assert_eq!((text(&insn, older), faithful(&insn, older)), (expected.into(), whole), "{word:x}");
        let mut out = Vec::new();
        let mut printer = Printer::<Invented>::new();
        for _ in 0..2 {
            printer.print(&insn, older, &mut Line::new(&mut out));
        }
        assert_eq!(String::from_utf8(out).unwrap(), expected.repeat(2), "{word:x}");
    }
    assert_eq!(insn(0x8000_0000_0000_0c04).unknown_bits(), 0x8000_0000_0000_0c00);
    assert_eq!(Insn::<Invented>::decode(0xf), None);
}

#[test]
fn facts_are_those_of_the_lift() {
    let mut scratch = Lifted::new(&FILES);
    let insn = |word| Insn::<Invented>::decode(word).unwrap();
    let facts = Facts::of(&mut scratch, insn(0x0091_0101), false, 0, 1).unwrap();
    let reads: Vec<_> = facts.reads().collect();
    assert_eq!(reads.len(), 1);
    let read = reads[0];
    assert_eq!(
        (read.reg, read.components, read.units, read.indexed),
        (Reg::new(REGISTERS, 9), Mask(1), 2, false)
    );
    let writes: Vec<_> = facts.writes().collect();
    assert_eq!(writes.len(), 1);
    assert_eq!((writes[0].reg, writes[0].components, writes[0].units), (Reg::new(REGISTERS, 1), Mask(1), 2));
    assert!(facts.memory().next().is_none() && !facts.samples());
    assert_eq!(facts.flow().op, ControlOp::Next);
    let facts = Facts::of(&mut scratch, insn(0x0100_0003), false, 0, 1).unwrap();
    let bytes = |store| Memory { space: Space::Global, bytes: 12, store };
    assert_eq!(facts.memory().collect::<Vec<_>>(), [bytes(false), bytes(true)]);
    let flow = facts.flow();
    assert!(flow.op == ControlOp::Branch && flow.place.is_some() && flow.cond.is_none());
}

#[test]
fn lifts_are_refused_with_a_reason() {
    let lifted = |word| {
        let mut program = Lifted::new(&FILES);
        let insn = Insn::<Invented>::decode(word).unwrap();
        let done = lift(&mut program, insn, false, 0, 1).map_err(|d| format!("{}: {}", d.code, d.message));
        assert_eq!(program.steps.len(), usize::from(done.is_ok()));
        assert_eq!(program.nodes.list.is_empty(), done.is_err());
        done.map(|()| program.steps[0].whole_wave)
    };
    assert_eq!(lifted(0x00e0_0101), Ok(true), "the last two units");
    let beyond = "lift-register: add reaches past the last register of r";
    assert_eq!(lifted(0x00f0_0101), Err(beyond.into()));
    assert_eq!(lifted(0x0300_0008), Err("lift-operand: this operand cannot be written".into()));
    assert_eq!(lifted(0x0700_0005), Err("lift-unstated: the meaning of odd is not defined yet".into()));
}

/// What is wrong with a row of one number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Fault {
    Nothing,
    /// The text lacks the highest bit.
    Misprints,
    /// The text of a word is that of the next one, and is said not to come back.
    Shifts,
    /// The text does not parse, and is said not to come back.
    Unread,
    /// The text never begins as stated.
    Begins,
    /// The text depends on a bit that the kind does not name.
    Depends,
    /// The lift is refused, with a reason or without.
    Refused(&'static str),
}

impl<I: Isa> Kind<I> for Fault {
    fn describe(&self) -> &'static str {
        "number"
    }

    fn print(&self, op: &Operand<I>, insn: &Insn<I>, _: I::Ctx<'_>, out: &mut Line<'_>) {
        let number = op.field.get(&insn.word);
        out.dec(match self {
            Fault::Misprints => number & 7,
            Fault::Depends => number + 16 * Field::at(12, 1).get(&insn.word),
            _ => number,
        });
    }

    fn parse(
        &self,
        op: &Operand<I>,
        word: &mut I::Word,
        text: &mut Scan<'_>,
        _: I::Ctx<'_>,
    ) -> Result<(), Diagnostic> {
        let number = text.dec().filter(|_| *self != Fault::Unread);
        let number = number.ok_or_else(|| Diagnostic::error("asm-operand", "no number"))?;
        op.field.set(word, number + u64::from(*self == Fault::Shifts));
        Ok(())
    }

    fn faithful(&self, _: &Operand<I>, _: &Insn<I>, _: I::Ctx<'_>) -> bool {
        !matches!(self, Fault::Shifts | Fault::Unread)
    }

    fn read(&self, _: &Operand<I>, lift: &mut Lift<'_, '_, I>) -> Value {
        if let Fault::Refused(why) = self {
            lift.refuse(Diagnostic::error("lift-operand", *why));
        }
        lift.i32(0)
    }
}

impl<I: Isa> Details<I> for Fault {}

impl<I: Isa> Hints<I> for Fault {
    fn begins(&self, _: &Operand<I>, _: &I::Word) -> Begins {
        if *self == Fault::Begins { Begins::with(b"x") } else { Begins::ANY }
    }
}

/// The faults, in the order in which they are found, that contain `about`.
macro_rules! faults {
    ($fault:expr, $examples:expr, $about:expr) => {{
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        struct Broken;

        impl Isa for Broken {
            type Word = u64;
            type Ctx<'a> = ();
            type Attr = ();

            fn table() -> &'static shisa_rows::Table<Self> {
                const OPERANDS: &[Operand<Broken>] = &[
                    Operand { slot: Slot(0), field: Field::at(8, 4), kind: &$fault },
                    Operand { slot: Slot(1), field: Field::at(12, 1), kind: &Fault::Nothing },
                ];
                const ROWS: &[Form<Broken>] = &[Form::new("a", 1, 0xff, OPERANDS, (), |l| {
                    l.src(Slot(0));
                })
                .says("Is a test.")
                .examples($examples)];
                shisa_rows::table!(Broken, &[ROWS], 0, 4)
            }
        }

        let suite = Suite::<Broken> { ctx: |_| (), tame: |_, _| {}, files: |_| &[], words: 100 };
        let faults = suite.run().faults;
        assert!(faults.len() <= 50);
        faults.into_iter().filter(|fault| fault.contains($about)).collect::<Vec<String>>()
    }};
}

#[test]
fn the_suite_finds_what_is_wrong_with_a_row() {
    assert_eq!(faults!(Fault::Nothing, &[("a 3, 1", 0x1301)], ""), [""; 0]);
    assert_eq!(faults!(Fault::Nothing, &[], ""), ["a has no example"]);
    let other = ["1301 prints as `a 3, 1`, not as `a 4, 1`", "`a 4, 1` reads as Ok(1401), not as 1301"];
    assert_eq!(faults!(Fault::Nothing, &[("a 4, 1", 0x1301)], ""), other);
    let rest = faults!(Fault::Nothing, &[("a 3, 1 x", 0x1301)], "reads as");
    assert_eq!(rest, ["`a 3, 1 x` reads as Err(\"`x` is left over\"), not as 1301"]);
    assert!(faults!(Fault::Misprints, &[("a 3, 1", 0x1301)], "reads as").len() > 20);
    assert!(
        !faults!(
            Fault::Shifts,
            &[("a 3, 1", 0x1301)],
            "`a 2, 0` assembles to 301, printed as Some(\"a 3, 0\")"
        )
        .is_empty()
    );
    let unread = faults!(Fault::Unread, &[("a 3, 1", 0x1301)], "");
    assert_eq!(unread.len(), 2, "only the example and the count of words are wrong: {unread:?}");
    let begins = "begins with a character that its kind does not state";
    assert!(!faults!(Fault::Begins, &[("a 3, 1", 0x1301)], begins).is_empty());
    let depends = "differ in bits that it does not name";
    assert!(!faults!(Fault::Depends, &[("a 19, 1", 0x1301)], depends).is_empty());
    assert_eq!(faults!(Fault::Refused("reason"), &[("a 3, 1", 0x1301)], ""), ["a never lifts"]);
    assert!(
        !faults!(Fault::Refused(""), &[("a 3, 1", 0x1301)], "1301 is refused without a reason").is_empty()
    );
}
