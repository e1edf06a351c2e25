//! What pixel programs hand on, against the map of the Shader Program Header.

use super::code::{Code, Found};
use crate::flow::{Flow, Mark};
use crate::guard;
use crate::hazards::{Set, outputs, pixel_outputs};
use alloc::{format, vec, vec::Vec};
use shisa_diag::Diagnostic;

pub(super) fn check(code: &Code<'_>, found: &mut Found<'_>) {
    let Some(header) = code.header.filter(|_| code.graph.complete) else { return };
    let wanted: Vec<(&str, Set)> = pixel_outputs(&header).collect();
    if wanted.is_empty() {
        return;
    }
    let all = outputs(&header);
    let blocks = code.graph.blocks();
    // What may have been written where each block begins; `None` where no way has led to yet.
    let mut before = vec![None::<Set>; blocks.len()];
    let mut open = vec![0];
    if let Some(first) = before.first_mut() {
        *first = Some(Set::default());
    }
    let behind = |i: usize, set: Set| -> Set {
        let (Some(Some(insn)), Some(effects)) = (code.graph.insns.get(i), code.graph.effects.get(i)) else {
            return set;
        };
        // Nothing is handed on of a pixel that is discarded.
        let discarded = insn.form().name == "KIL" && guard::always(insn);
        set.or(if discarded { &all } else { &effects.writes })
    };
    // Sets only grow.
    while let Some(number) = open.pop() {
        let (Some(block), Some(Some(set))) = (blocks.get(number), before.get(number)) else { continue };
        let after = block.insns.clone().fold(*set, |set, i| behind(i, set));
        for way in &block.ways {
            let Some(old) = before.get_mut(way.to) else { continue };
            let joined = old.map_or(after, |old| old.or(&after));
            if *old != Some(joined) {
                *old = Some(joined);
                open.push(way.to);
            }
        }
    }
    for (block, set) in blocks.iter().zip(before) {
        let Some(mut set) = set else { continue };
        for i in block.insns.clone() {
            let ends = code.flow(i) == Some(Flow::Pop(Mark::Exit));
            // Compilers leave components that they do not need as they are, but not all of them.
            for (field, registers) in wanted.iter().filter(|(_, r)| ends && r.and(&set).is_empty()) {
                let names = registers.runs().join(" ");
                let text = format!("the program may end here, and nothing has written {names} for {field}");
                found.against(i, field, Diagnostic::warning("maxwell-output-unset", text));
            }
            set = behind(i, set);
        }
    }
}
