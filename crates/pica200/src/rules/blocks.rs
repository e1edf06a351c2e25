//! Blocks in the code: loops, conditions and procedures.

use super::program::Program;
use super::{Finding, Found, Subject, codes};
use crate::sequencer::{BREAK, CALL, IF, JUMP, LOOP};
use alloc::collections::BTreeSet;
use alloc::{format, vec::Vec};
use core::ops::Range;
use shisa_diag::Severity;

#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Kind {
    Loop,
    /// With whether it has an else part.
    Then(bool),
    Else,
    Procedure,
}

/// A range of words whose end the hardware stores.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Block {
    kind: Kind,
    /// The word that begins it; for procedures the first one.
    by: u32,
    start: u32,
    end: u32,
}

impl Block {
    fn words(&self) -> Range<u32> {
        self.start..self.end
    }

    fn name(&self) -> &'static str {
        match self.kind {
            Kind::Loop => "loop",
            Kind::Then(_) | Kind::Else => "condition",
            Kind::Procedure => "procedure",
        }
    }
}

/// The largest number of blocks whose pairs are compared; no real program has more.
const COMPARED: usize = 512;

pub(super) fn check(program: &Program<'_>, found: &mut Found) {
    let blocks: Vec<Block> = blocks(program, found).into_iter().collect();
    if blocks.len() > COMPARED {
        return;
    }
    for inner in &blocks {
        nesting(inner, &blocks, found);
    }
    for word in program.words() {
        let pc = word.pc;
        let control = program.code.control(pc);
        match control.op {
            JUMP => jump(program, pc, control.target, &blocks, found),
            BREAK => {
                let around = blocks.iter().filter(|b| b.kind == Kind::Loop && b.words().contains(&pc));
                if let Some(innermost) = around.max_by_key(|b| b.start) {
                    leaves_condition(program, pc, innermost.end, &blocks, found);
                }
            }
            _ => {}
        }
    }
}

/// The blocks that begin at reachable words.
fn blocks(program: &Program<'_>, found: &mut Found) -> BTreeSet<Block> {
    let len = program.code.len() as u32;
    let mut blocks = BTreeSet::new();
    for word in program.words() {
        let pc = word.pc;
        let control = program.code.control(pc);
        let (start, end) = (pc + 1, control.target);
        match control.op {
            LOOP => blocks.insert(Block { kind: Kind::Loop, by: pc, start, end }),
            IF => {
                let other = control.extra > control.target;
                blocks.insert(Block { kind: Kind::Then(other), by: pc, start, end });
                other && blocks.insert(Block { kind: Kind::Else, by: pc, start: end, end: control.extra })
            }
            CALL => blocks.insert(Block {
                kind: Kind::Procedure,
                by: control.target,
                start: control.target,
                end: control.extra,
            }),
            _ => continue,
        };
        let last = if control.op == LOOP { control.target } else { control.extra };
        let name = program.code.name(pc);
        if last > len {
            let message = format!("the block of this {name} ends at word {last}, past the end of the code");
            found.push(Finding::new(codes::BLOCK_RANGE, Subject::Word(pc), message));
        } else if control.op != CALL && end < start {
            let message = format!("the block of this {name} ends at word {end}, before it begins");
            found.push(Finding::new(codes::BLOCK_ORDER, Subject::Word(pc), message));
        }
    }
    blocks
}

/// Checks how a block is nested in those around it.
fn nesting(inner: &Block, blocks: &[Block], found: &mut Found) {
    if matches!(inner.kind, Kind::Procedure) {
        return;
    }
    let at = Subject::Word(inner.by);
    for outer in blocks.iter().filter(|b| b.words().contains(&inner.by) && b.by != inner.by) {
        let begins = |f: Finding| f.with(Subject::Word(outer.by), "the block around it");
        if inner.end > outer.end {
            let message = format!(
                "this {} ends at word {}, the {} around it at word {}",
                inner.name(),
                inner.end,
                outer.name(),
                outer.end
            );
            found.push(begins(Finding::new(codes::BLOCK_CROSSES, at, message)));
            return;
        }
        // After a condition without an else part the same words follow in both cases; the end of an else part is not
        // stored.
        let harmless =
            matches!(outer.kind, Kind::Then(false) | Kind::Else) || matches!(inner.kind, Kind::Then(true));
        if inner.end == outer.end && !harmless {
            let message = format!("this {} ends with the {} around it", inner.name(), outer.name());
            found.push(begins(Finding::new(codes::SHARED_END, at, message)));
            return;
        }
    }
}

/// What a jump enters and leaves.
fn jump(program: &Program<'_>, pc: u32, to: u32, blocks: &[Block], found: &mut Found) {
    let at = Subject::Word(pc);
    let from = |b: &&Block| b.words().contains(&pc);
    let leads = |b: &Block| b.words().contains(&to);
    let entered = blocks.iter().filter(|b| b.kind != Kind::Procedure && !from(b) && b.by != pc && leads(b));
    if let Some(block) = entered.max_by_key(|b| b.kind == Kind::Loop) {
        let severity = if block.kind == Kind::Loop { Severity::Warning } else { Severity::Note };
        let finding = Finding::new(codes::JUMP_INTO_BLOCK, at, format!("a jump into a {}", block.name()));
        found.push(finding.severity(severity).with(Subject::Word(block.by), "not begun"));
    }
    let mut left = blocks.iter().filter(|b| from(b) && !leads(b));
    if let Some(block) = left.clone().find(|b| b.kind == Kind::Procedure) {
        let finding = Finding::new(codes::JUMP_OUT_OF_PROCEDURE, at, "a jump out of a procedure");
        found.push(finding.with(Subject::Word(block.by), "the procedure"));
    } else if let Some(block) = left.find(|b| b.kind == Kind::Loop) {
        // The hardware compares with the end of the loop that was left, which is still the newest.
        let hidden = blocks.iter().any(|b| b.kind == Kind::Loop && from(&b) && leads(b) && b.by != block.by);
        let finding = Finding::new(codes::JUMP_OUT_OF_LOOP, at, "a jump out of a loop");
        let finding = finding.with(Subject::Word(block.by), "the loop");
        found.push(match hidden {
            true => finding.severity(Severity::Warning).note("the loop around it no longer repeats"),
            false => finding,
        });
    }
    leaves_condition(program, pc, to, blocks, found);
}

/// A condition that a jump or break leaves is still newer than the one around it, whose else part then runs, too.
fn leaves_condition(program: &Program<'_>, pc: u32, to: u32, blocks: &[Block], found: &mut Found) {
    let around = |b: &&Block| b.words().contains(&pc);
    let left =
        blocks.iter().find(|b| matches!(b.kind, Kind::Then(_)) && around(b) && !b.words().contains(&to));
    let hidden = blocks.iter().find(|b| b.kind == Kind::Then(true) && around(b) && b.words().contains(&to));
    if let (Some(left), Some(hidden)) = (left, hidden) {
        let message =
            format!("{} leaves a condition inside another one that has an else part", program.code.name(pc));
        let finding = Finding::new(codes::CONDITION_LEFT, Subject::Word(pc), message);
        let finding = finding.with(Subject::Word(left.by), "left");
        found.push(finding.with(Subject::Word(hidden.by), "its else part runs, too"));
    }
}
