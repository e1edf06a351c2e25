//! The attributes of rows agree with their lifts.

use super::*;
use crate::code::Code;
use crate::operand::{C, D, Destination, NUMBER, SOURCES, Source, SourceBits};
use crate::{INPUTS, OUTPUTS, Options, Sequencer, lift, word};
use alloc::{vec, vec::Vec};
use shisa_diag::Limits;
use shisa_eval::{Machine, NoEnvironment, NoObserver};
use shisa_ir::{Reg, Stage};
use shisa_rows::Isa;

fn forms() -> impl Iterator<Item = &'static Form<Pica200>> {
    Pica200::table().forms().iter()
}

#[test]
fn rows_that_read_a_descriptor_name_one() {
    for form in forms() {
        assert_eq!(form.mask >> 32, 0, "the instruction alone decides the row of {}", form.name);
        let number = form.operand(NUMBER).map(|op| op.field.runs().to_vec());
        let wanted = match (form.known() >> 32, form.operand(C)) {
            (0, _) => None,
            (_, None) => Some(vec![(0, 7)]),
            (_, Some(_)) => Some(vec![(0, 5)]),
        };
        assert_eq!(number, wanted, "{}", form.name);
        for &(text, fused) in form.examples {
            let (code, descriptor) = word::split(fused);
            let named = word::descriptor(code);
            assert_eq!(named.is_some(), wanted.is_some(), "{text}");
            let mut pool = vec![!0; word::DESCRIPTORS];
            named.into_iter().for_each(|n| pool[n] = descriptor | !word::split(form.known()).1);
            assert_eq!(word::decode(code, &pool).map(|insn| insn.word), Some(fused), "{text}");
            assert_eq!(word::fuse(code, &pool), fused, "{text}");
        }
    }
}

/// A word of a row that reads three registers from number `first` on (16 is `r0`) and writes the components of `mask` (x
/// lowest) to `o0`.
fn plain(form: &Form<Pica200>, mask: u8, first: u32) -> u64 {
    let mut word = form.template();
    for (slot, number) in SOURCES.into_iter().zip(first..) {
        let Some((op, kind)) = form.operand(slot).and_then(|op| Some((op, Source::of(op)?))) else {
            continue;
        };
        let bits = SourceBits { number, negated: false, selector: 0b00_01_10_11, index: 0 };
        op.field.set(&mut word, bits.bits(kind.wide));
    }
    if let Some((op, kind)) = form.operand(D).and_then(|op| Some((op, Destination::of(op)?))) {
        op.field.set(&mut word, kind.field(0, (mask.reverse_bits() >> 4).into()));
    }
    word
}

/// Components that the assembler treats as read although nothing reads them, as picasso does.
const CONSIDERED: [&str; 4] = ["dst", "dsti", "litp", "cmp"];

#[test]
fn sources_are_read_as_rows_state() {
    for form in forms().filter(|form| form.operand(SOURCES[0]).is_some()) {
        for mask in 1..16 {
            let (code, descriptor) = word::split(plain(form, mask, 17));
            let read = Code::new(&[code], &[descriptor]).reads(0).temporaries;
            let written = form.operand(D).map_or(Mask(mask), |op| {
                let kind = Destination::of(op).unwrap();
                Mask(if matches!(kind, Destination::Address) { mask & 3 } else { mask })
            });
            for (n, slot) in SOURCES.into_iter().enumerate() {
                let does = (read >> (4 * (n + 1)) & 15) as u8;
                let states = form.attr.reads[n].components(written).0;
                let states = if form.operand(slot).is_some() { states } else { 0 };
                // An instruction that writes nothing reads nothing.
                let states = if written.0 == 0 { 0 } else { states };
                let name = form.name;
                assert_eq!(does & !states, 0, "{name} reads more of source {n} with mask {mask:#x}");
                assert!(
                    does == states || CONSIDERED.contains(&name),
                    "{name} reads {does:#x} of source {n} with mask {mask:#x}, not {states:#x}"
                );
            }
        }
    }
}

#[test]
fn twins_differ_in_where_the_constants_are_read() {
    let mut twins = Vec::new();
    for form in forms() {
        let Some(twin) = form.attr.twin else { continue };
        let straight = forms().find(|f| f.name == twin).expect("the row exists");
        assert_eq!(straight.attr.twin, None);
        assert_eq!(Attributes { twin: None, ..form.attr }, straight.attr);
        assert_eq!(form.summary, straight.summary);
        let wide = |form: &'static Form<Pica200>| {
            SOURCES.map(|slot| form.operand(slot).and_then(Source::of).is_some_and(|s| s.wide && s.indexed))
        };
        twins.push((twin, form.name, wide(straight), wide(form)));
    }
    let (first, second, third) = ([true, false, false], [false, true, false], [false, false, true]);
    assert_eq!(
        twins,
        [
            ("dph", "dphi", first, second),
            ("dst", "dsti", first, second),
            ("sge", "sgei", first, second),
            ("slt", "slti", first, second),
            ("mad", "madi", second, third),
        ]
    );
}

/// What a word writes to `o0` where `v1`, `v2`, `v3` hold these numbers.
fn run(word: u64, sources: [[f32; 4]; 3]) -> [u32; 4] {
    let (code, descriptor) = word::split(word);
    let program = crate::Program {
        stage: Stage::Vertex,
        code: vec![code, END],
        descriptors: vec![descriptor],
        entry: 0,
    };
    let lifted = lift(&program, &Options::emulators()).unwrap();
    let plan = shisa_eval::Program::new(&lifted, &Limits::default()).unwrap();
    let mut machine = Machine::new(&plan, &Sequencer, 0, 1);
    for (register, source) in (1..).zip(sources) {
        for (unit, number) in (4 * register..).zip(source) {
            machine.set_input(Reg::new(INPUTS, unit), 0, number.to_bits()).unwrap();
        }
    }
    machine.run(&mut NoEnvironment, &mut NoObserver, &Limits::default()).unwrap();
    core::array::from_fn(|i| machine.register(Reg::new(OUTPUTS, i as u16), 0).unwrap())
}

/// Exchanging the sources changes nothing exactly where rows state it.
#[test]
fn sources_are_exchangeable_as_rows_state() {
    let (a, b) = ([1.5, -2.0, f32::NAN, 7.0], [0.25, 4.0, 1.0, -3.0]);
    let (c, d) = ([1.5, -2.0, 3.0, 7.0], [0.25, 4.0, 1.0, -3.0]);
    let mut found = Vec::new();
    for form in forms().filter(|f| f.attr.role == Role::Compute && f.operands.len() > 3) {
        if form.operand(C).is_some() {
            continue;
        }
        let word = plain(form, 15, 1);
        let same = [(a, b), (c, d)]
            .iter()
            .all(|(a, b)| run(word, [*a, *b, [0.0; 4]]) == run(word, [*b, *a, [0.0; 4]]));
        assert_eq!(form.attr.exchangeable, same, "{}", form.name);
        found.push(form.name);
    }
    assert!(found.len() >= 14, "{found:?}");
}

#[test]
fn roles_are_those_of_the_documents() {
    let of = |role| forms().filter(|f| f.attr.role == role).map(|f| f.name).collect::<Vec<_>>();
    for (role, names) in [
        (Role::Address, &["mova"][..]),
        (Role::Compare, &["cmp"]),
        (Role::Nop, &["nop"]),
        (Role::Call, &["call", "callc", "callu"]),
        (Role::Condition, &["ifu", "ifc"]),
        (Role::Loop, &["for"]),
        (Role::Break, &["break", "breakc"]),
        (Role::Jump, &["jmpc", "jmpu"]),
        (Role::End, &["end"]),
        (Role::SetEmit, &["setemit"]),
        (Role::Emit, &["emit"]),
    ] {
        assert_eq!(of(role), names);
    }
    assert!(forms().all(|f| f.attr.role != Role::Compute || f.operand(D).is_some()));
    assert_eq!((END, NOP), (0x8800_0000, 0x8400_0000));
}
