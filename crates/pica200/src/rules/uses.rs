//! What the program uses of what its tables name.

use super::seen::{Seen, uniform};
use super::{Finding, Found, Subject, codes};
use alloc::format;
use shisa_ir::Stage;

/// Words of a vertex shader unit.
const VERTEX_WORDS: u32 = 512;

/// `shared`: whether the file has other programs, which may use what this one declares.
pub(super) fn check(seen: &Seen<'_>, shared: bool, found: &mut Found) {
    if let (Some(Stage::Vertex), Some((pc, ..))) =
        (seen.dvle.stage(), seen.words().find(|(pc, ..)| *pc >= VERTEX_WORDS))
    {
        let message = format!("a vertex program reaches word {pc}; the last is {}", VERTEX_WORDS - 1);
        found.push(Finding::new(codes::CODE_SIZE, Subject::Word(pc), message));
    }
    // Ways that were not followed may use anything.
    if seen.walk.incomplete || shared {
        return;
    }
    let used = Used::of(seen);
    let mut named = 0u16;
    for (i, entry) in (0u32..).zip(&seen.dvle.uniforms) {
        let registers = entry.first..=entry.last;
        if registers.is_empty() || registers.clone().any(|r| used.has(r)) {
            continue;
        }
        let name = uniform(seen.dvle, entry);
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
    let idle = (0..16).filter(|n| (seen.dvle.inputs & !named) >> n & 1 != 0 && !used.has(*n));
    for n in idle {
        found.push(Finding::new(
            codes::UNUSED_INPUT,
            Subject::Inputs,
            format!("v{n} is an input and never read"),
        ));
    }
}

/// Registers that the program reads, numbered as the table of uniforms does.
struct Used {
    inputs: u64,
    constants: u128,
    integers: u8,
    booleans: u16,
}

impl Used {
    fn of(seen: &Seen<'_>) -> Used {
        let mut used = Used { inputs: 0, constants: 0, integers: 0, booleans: 0 };
        for (.., effects) in seen.words() {
            used.inputs |= effects.inputs;
            used.constants |= if effects.indexed { !0 } else { effects.constants };
            used.integers |= effects.integers;
            used.booleans |= effects.booleans;
        }
        used
    }

    fn has(&self, register: u16) -> bool {
        match register {
            0..=0xf => self.inputs >> (4 * register) & 0xf != 0,
            0x10..=0x6f => self.constants >> (register - 0x10) & 1 != 0,
            0x70..=0x73 => self.integers >> (register - 0x70) & 1 != 0,
            0x78..=0x87 => self.booleans >> (register - 0x78) & 1 != 0,
            // Registers that do not exist are told elsewhere.
            _ => true,
        }
    }
}
