//! Attributes that list offsets of instructions.

use super::attribute::{Attribute, Branch, Shape, Value, attributes};
use super::edit::Edit;
use super::moved::Moved;
use crate::bundle::{self, BUNDLE_BYTES};
use crate::code::Graph;
use crate::flow::{Flow, Mark, Targets, Turn, flow, number};
use crate::operand::{AT, target_of};
use crate::registers::special::special_register;
use crate::role::Role;
use crate::{Ctx, Maxwell};
use alloc::collections::BTreeMap;
use alloc::vec::Vec;
use shisa_diag::Diagnostic;
use shisa_diag::bytes::part;
use shisa_rows::Insn;

/// Whether an instruction is one of a kind.
type Is = fn(&Insn<Maxwell>) -> bool;

/// Attributes that list the offsets of some instructions, and which: EXIT, and S2R of `SR_CTAID.X`, `.Y`, `.Z`. This
/// holds in all of 3,581 kernels that compilers made. The contents of other attributes cannot be determined from
/// code.
const PLACES: [(u8, Is); 2] =
    [(0x1c, |insn| insn.form().attr.turn == Turn::Pop(Mark::Exit)), (0x1d, reads_block)];

/// The registers with the number of the block.
const BLOCK: [&str; 3] = ["SR_CTAID.X", "SR_CTAID.Y", "SR_CTAID.Z"];

fn reads_block(insn: &Insn<Maxwell>) -> bool {
    let register = special_register(insn.field(AT) as u8);
    let reads = matches!(insn.form().attr.role, Role::ReadSpecial { coupled: false });
    reads && register.is_some_and(|register| BLOCK.contains(&register.name))
}

/// The attribute that lists the instructions of cooperative groups, and the one that has a register for each of them.
/// This holds in all of 209 kernels that have them.
const GROUPS: u8 = 0x28;
const MASKS: u8 = 0x29;
/// The format of attributes that are lists.
const SVAL: u8 = 4;

/// The offsets in code that an attribute should list; `None` where that cannot be determined.
pub(super) fn places(attribute: u8, code: &[u8]) -> Option<Vec<u32>> {
    let (_, is) = PLACES.iter().find(|(of, _)| *of == attribute)?;
    let words = code.as_chunks::<8>().0.iter().map(|w| u64::from_le_bytes(*w)).zip((0u32..).step_by(8));
    let found = words.filter(|(word, at)| {
        !at.is_multiple_of(BUNDLE_BYTES as u32) && Insn::decode((*word).into()).is_some_and(|insn| is(&insn))
    });
    Some(found.map(|(_, at)| at).collect())
}

/// The attributes of a section with lists for new code: those that the code determines are recomputed, and offsets in
/// the others follow their instructions.
pub(super) fn with_places(
    info: &[u8],
    before: &[u8],
    edit: Edit<'_>,
    moved: &Moved,
) -> Result<Vec<u8>, Diagnostic> {
    let all = || attributes(info).map_while(Result::ok);
    let groups = all().find(|a| a.code == GROUPS).map_or(Vec::new(), |a| a.words());
    let mut out = Vec::with_capacity(info.len());
    let mut done = 0;
    for attribute in all() {
        let Value::Bytes(old) = attribute.value else { continue };
        let words = attribute.words();
        let list = match (places(attribute.code, edit.code), attribute.known().map(|k| k.shape)) {
            (Some(places), _) => places,
            _ if !old.len().is_multiple_of(4) => continue,
            (_, Some(Shape::Places { words: count, at })) => follow(words, count.into(), at.into(), moved),
            (_, Some(Shape::Branches)) => branches(&attribute, before, edit, moved),
            _ if attribute.code == MASKS && words.len() == groups.len() => {
                let both = words.into_iter().zip(&groups);
                both.filter(|(_, place)| moved.to(**place).is_some()).map(|(mask, _)| mask).collect()
            }
            _ => continue,
        };
        out.extend_from_slice(part(info, done..attribute.offset)?);
        done = attribute.offset + 4 + old.len();
        if let Ok(len @ 1..) = u16::try_from(list.len() * 4) {
            out.extend([SVAL, attribute.code]);
            out.extend(len.to_le_bytes());
            out.extend(list.iter().flat_map(|at| at.to_le_bytes()));
        }
    }
    out.extend_from_slice(part(info, done..info.len())?);
    Ok(out)
}

/// Groups of words, one of each the offset of an instruction; groups whose instruction was removed are left out. A
/// value that is not a list of that kind is unchanged.
fn follow(mut words: Vec<u32>, count: usize, at: usize, moved: &Moved) -> Vec<u32> {
    if !words.len().is_multiple_of(count) {
        return words;
    }
    let mut kept = 0;
    for group in (0..words.len()).step_by(count) {
        if let Some(to) = moved.to(words[group + at]) {
            words.copy_within(group..group + count, kept);
            words[kept + at] = to;
            kept += count;
        }
    }
    words.truncate(kept);
    words
}

/// Instructions with indirect targets, by their offsets.
type Leaving = BTreeMap<u32, Branch>;

/// Instructions with indirect targets, and the targets, without removed ones. Those that leave to marks are
/// recomputed if the old list agreed with the old code, which holds in 174 of 184 kernels with such a list. A value
/// that is not a list of that kind is unchanged.
fn branches(attribute: &Attribute<'_>, before: &[u8], edit: Edit<'_>, moved: &Moved) -> Vec<u32> {
    let (words, listed) = (attribute.words(), attribute.branches());
    let whole = listed.iter().flat_map(Branch::words).eq(words.iter().copied());
    let count = listed.len();
    let old: Leaving = listed.into_iter().map(|branch| (branch.place, branch)).collect();
    if !whole || old.len() != count {
        return words;
    }
    let marked = for_marks(before);
    let found = old.iter().filter(|(place, _)| marked.contains_key(place)).eq(&marked);
    let follows = |branch: &Branch| {
        let place = moved.to(branch.place)?;
        let told = edit.targets.and_then(|told| told.get(&place)).cloned();
        let follow = || branch.targets.iter().filter_map(|at| moved.to(*at)).collect();
        Some((place, Branch { place, number: branch.number, targets: told.unwrap_or_else(follow) }))
    };
    let others = old.values().filter(|branch| !(found && marked.contains_key(&branch.place)));
    let mut new: Leaving = others.filter_map(follows).collect();
    if found {
        new.extend(for_marks(edit.code));
    }
    new.values().flat_map(Branch::words).collect()
}

/// The instructions of code that leave to marks of SSY and PBK, with the targets of these.
fn for_marks(code: &[u8]) -> Leaving {
    let words: Vec<u128> =
        code.chunks_exact(BUNDLE_BYTES).map(bundle::words).flat_map(bundle::fuse).collect();
    let graph = Graph::new(&words, &Targets::new(), Ctx::default());
    let insns = || graph.insns().map(|(i, insn)| (bundle::address(i as u32), i, insn));
    let flows = |place: u32, insn: &Insn<Maxwell>| flow(insn, place);
    let marks = insns()
        .filter(|(place, _, insn)| matches!(flows(*place, insn), Flow::Push(Mark::Sync | Mark::Break, _)));
    // By the instruction at the target, to which a bundle's control word refers as well.
    let named: BTreeMap<usize, u32> = marks
        .filter_map(|(place, _, insn)| target_of(insn, place))
        .map(|target| (number(target), target))
        .collect();
    let leave =
        insns().filter(|(place, _, insn)| matches!(flows(*place, insn), Flow::Pop(Mark::Sync | Mark::Break)));
    leave
        .map(|(place, i, _)| {
            let mut targets: Vec<u32> = graph.next(i).filter_map(|next| named.get(&next).copied()).collect();
            // The instruction after one with a guard is not a target, unless it is the only one.
            if targets.len() > 1 {
                targets.retain(|target| number(*target) != i + 1);
            }
            (place, Branch { place, number: 0, targets })
        })
        .collect()
}
