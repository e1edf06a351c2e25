//! What rows state of instructions, compared with what their meanings do.

use crate::facts::{Control, Memory, Nesting, Pixel, Role, Varying, facts};
use crate::registers::NESTING;
use crate::sets::Touched;
use crate::*;
use alloc::{format, string::String, vec::Vec};
use shisa_ir::{ControlOp, Lifted, Reg, Space, Stage};
use shisa_rows::code::{RegisterSet, effects};
use shisa_rows::testing::Random;
use shisa_rows::{Access, Facts, Form, Isa, Registers};

/// Words of a row: its examples, and random ones.
fn words(form: &Form<Agx>, seed: u64) -> impl Iterator<Item = Insn<Agx>> + '_ {
    let mut random = Random(seed);
    let any = core::iter::repeat_with(move || {
        let bits = u128::from(random.bits()) | u128::from(random.bits()) << 64;
        let mut word = bits & !form.mask | form.bits;
        (SUITE.tame)(form, &mut word);
        word
    });
    let all = form.examples.iter().map(|(_, word)| *word).chain(any.take(200));
    all.filter_map(Insn::decode).filter(move |insn| core::ptr::eq(insn.form(), form))
}

/// Calls `check` with what the meaning of each instruction does, where it has one.
fn meanings(mut check: impl FnMut(&Insn<Agx>, Facts<'_>)) {
    let mut options = Options::DEFAULT;
    for choice in Options::CHOICES {
        assert!(choice.values.last().is_some_and(|(value, _)| options.set(choice.key, value)));
    }
    let mut scratch = Lifted::new(FILES);
    for (seed, form) in (0..).zip(Agx::table().forms()) {
        for insn in words(form, seed) {
            let ctx = Ctx { options, ..Ctx::default() };
            if let Ok(facts) = Facts::of(&mut scratch, insn, ctx, 1 << 20, (1 << 20) + 8) {
                check(&insn, facts);
            }
        }
    }
}

/// The halves of registers and uniforms of accesses.
fn touched(accesses: impl Iterator<Item = Access>) -> Touched {
    let mut all = Touched::default();
    for access in accesses {
        for component in access.components.iter() {
            let unit = access.reg.unit + u16::from(component) * u16::from(access.units);
            let first = Reg::new(access.reg.file, unit);
            all.insert(&Registers { first, units: access.units, read: true, written: true });
        }
    }
    all
}

/// Operands name every register that an instruction reads, and exactly those that it writes. Analyses rely on it.
#[test]
fn operands_name_what_meanings_touch() {
    let mut wrong = Vec::<String>::new();
    meanings(|insn, facts| {
        let named = effects::<Agx, Touched>(insn);
        let (mut reads, mut writes) = (touched(facts.reads()), touched(facts.writes()));
        if let Role::Control(Control::Nesting(_)) = facts::role(insn) {
            // The nesting counter is part of the role.
            let counter = usize::from(NESTING.unit);
            let counter = abi::Registers::range(counter, counter + 1);
            (reads.registers, writes.registers) =
                (reads.registers.without(counter), writes.registers.without(counter));
        }
        // Stores to uniforms are stores to memory, to a meaning.
        writes.uniforms = named.writes.uniforms;
        let missing = reads.registers.without(named.reads.registers).names('r')
            + &reads.uniforms.without(named.reads.uniforms).names('u');
        if !missing.is_empty() || writes != named.writes {
            let text = shisa_rows::testing::text(insn, Ctx::default());
            wrong.push(format!("{text}: {missing} {writes:?} {:?}", named.writes));
        }
    });
    wrong.truncate(5);
    assert_eq!(wrong, [""; 0]);
}

/// Where control goes, by the meaning.
fn flow(control: Control) -> ControlOp {
    match control {
        Control::Stop | Control::Trap => sequencer::STOP,
        Control::Incomplete => sequencer::INCOMPLETE,
        Control::Jump => sequencer::JUMP,
        // Doorbells are never skipped.
        Control::ShortJump => ControlOp::Next,
        Control::Call | Control::CallRegister => sequencer::CALL,
        Control::Return => sequencer::RETURN,
        Control::Nesting(nesting) => match nesting {
            Nesting::If => sequencer::IF,
            Nesting::Else => sequencer::ELSE,
            Nesting::While => sequencer::WHILE,
            Nesting::Pop => sequencer::POP,
            Nesting::Update => sequencer::UPDATE,
        },
    }
}

/// The memory of a role, by the meaning.
fn space(role: Role) -> Option<Space> {
    match role {
        Role::Memory(Memory::Device) => Some(Space::Global),
        Role::Memory(Memory::Stack) => Some(Space::Local),
        Role::Memory(Memory::Shared) => Some(Space::Shared),
        Role::Memory(Memory::Uniforms | Memory::UniformElements) => Some(Space::Uniforms),
        Role::Memory(Memory::Descriptor) => Some(Space::States),
        Role::Memory(Memory::Texture | Memory::Image | Memory::StackPointer) => None,
        // An output whose number is in a register.
        Role::Varying(Varying::Store) => Some(Space::Outputs),
        _ => None,
    }
}

#[test]
fn roles_are_what_meanings_do() {
    let mut seen = Vec::new();
    meanings(|insn, facts| {
        let (role, text) = (facts::role(insn), shisa_rows::testing::text(insn, Ctx::default()));
        let flows = match facts.flow().op {
            // A write of the nesting counter, or the tile of a pixel after the other.
            sequencer::SET | sequencer::CHOOSE | sequencer::REPEAT => ControlOp::Next,
            op => op,
        };
        let wanted = match role {
            Role::Control(control) => flow(control),
            _ => ControlOp::Next,
        };
        assert_eq!(flows, wanted, "{text}");
        for memory in facts.memory() {
            assert_eq!(Some(memory.space), space(role), "{text}");
        }
        let samples =
            matches!(role, Role::Memory(Memory::Texture | Memory::Image) | Role::Pixel(Pixel::Block));
        assert_eq!(facts.samples(), samples, "{text}");
        seen.push(insn.number());
    });
    seen.dedup();
    let stated = Agx::table().forms().iter().enumerate();
    let stated = stated.filter(|(number, form)| !form.otherwise || seen.contains(number)).count();
    assert_eq!(seen.len(), stated, "every row whose effect is known has a meaning for some word");
}

#[test]
fn stages_are_those_of_what_instructions_touch() {
    meanings(|insn, meaning| {
        let text = shisa_rows::testing::text(insn, Ctx::default());
        let files: Vec<_> = meaning.reads().chain(meaning.writes()).map(|a| a.reg.file).collect();
        let stages = facts(insn).stages;
        let may = |stage| stages.other_than(stage, false).is_none();
        if files.iter().any(|f| [COEFFICIENTS, DEPTHS, STENCILS, TILE, SAMPLES].contains(f)) {
            assert!(!may(Stage::Vertex) && !may(Stage::Compute) && may(Stage::Fragment), "{text}");
        }
        if files.contains(&VARYINGS) {
            assert!(may(Stage::Vertex) && !may(Stage::Fragment) && !may(Stage::Compute), "{text}");
        }
        if meaning.memory().any(|m| m.space == Space::Shared) {
            assert!(may(Stage::Compute) && !may(Stage::Vertex), "{text}");
        }
    });
}
