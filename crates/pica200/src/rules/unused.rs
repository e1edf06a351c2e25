//! The use of names in a program's tables.

use super::names::uniform;
use super::program::Program;
use super::{Finding, Found, Subject, codes};
use crate::code::Registers;
use alloc::format;
use shisa_ir::Stage;

/// Words of a vertex shader unit.
const VERTEX_WORDS: u32 = 512;

/// `shared`: whether the file has other programs, which may use what this one declares.
pub(super) fn check(program: &Program<'_>, shared: bool, found: &mut Found) {
    if let (Some(Stage::Vertex), Some(word)) =
        (program.dvle.stage(), program.words().find(|word| word.pc >= VERTEX_WORDS))
    {
        let pc = word.pc;
        let message = format!("a vertex program reaches word {pc}; the last is {}", VERTEX_WORDS - 1);
        found.push(Finding::new(codes::CODE_SIZE, Subject::Word(pc), message));
    }
    // Paths that were not followed may use anything.
    if !program.walk.complete || shared {
        return;
    }
    let used = program.used().reads;
    let mut named = 0u16;
    for (i, entry) in (0u32..).zip(&program.dvle.uniforms) {
        let registers = entry.first..=entry.last;
        if registers.is_empty() || registers.clone().any(|r| has(&used, r)) {
            continue;
        }
        let name = uniform(program.dvle, entry);
        if entry.last < 16 {
            named |= registers.fold(0, |m, r| m | 1 << r);
            let finding =
                Finding::new(codes::UNUSED_INPUT, Subject::Uniform(i), format!("input {name} is never read"));
            found.push(finding);
        } else {
            let message = format!("uniform {name} is never read");
            found.push(Finding::new(codes::UNUSED_UNIFORM, Subject::Uniform(i), message));
        }
    }
    let idle = (0..16).filter(|n| (program.dvle.inputs & !named) >> n & 1 != 0 && !has(&used, *n));
    for n in idle {
        found.push(Finding::new(
            codes::UNUSED_INPUT,
            Subject::Inputs,
            format!("v{n} is an input and never read"),
        ));
    }
}

/// Whether a register, numbered as the table of uniforms does, is in a set.
fn has(registers: &Registers, number: u16) -> bool {
    match number {
        0..=0xf => registers.inputs >> (4 * number) & 0xf != 0,
        0x10..=0x6f => registers.constants >> (number - 0x10) & 1 != 0,
        0x70..=0x73 => registers.integers >> (number - 0x70) & 1 != 0,
        0x78..=0x87 => registers.booleans >> (number - 0x78) & 1 != 0,
        // Other rules report registers that do not exist.
        _ => true,
    }
}
