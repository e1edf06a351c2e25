//! Blocks of the tile that programs write to images while drawing: their offsets in a pixel.

use crate::forms::block;
use crate::{TILE, TILE_HALVES, instructions, length};
use alloc::{vec, vec::Vec};
use core::ops::Range;
use shisa_diag::{Diagnostic, Limits};
use shisa_ir::{Func, Op, Reg, Value};

/// The part of a pixel that a block covers.
pub(super) struct Block {
    /// The bytes of its instruction.
    pub(super) insn: Range<usize>,
    /// Byte offset in the pixel.
    pub(super) offset: u64,
    pub(super) format: u64,
}

/// The blocks that a program writes. Their parts of the pixel become registers.
///
/// # Errors
/// `translate-tile` for blocks whose offset is not known; what folding refuses.
pub(super) fn place(func: &mut Func, code: &[u8], limits: &Limits) -> Result<Vec<Block>, Vec<Diagnostic>> {
    let reads = reads(func);
    if reads.is_empty() {
        return Ok(Vec::new());
    }
    // Offsets are in registers, and the tile can become values only after no read of it has a computed index: a copy, in
    // which each read has its block's offset as its index, shows what folds.
    let mut folded = func.clone();
    for &v in &reads {
        if let Op::ReadAt { index, .. } = &mut folded.nodes.list[v.index()].op
            && let Some((offset, _)) = block::offset(&func.nodes, *index)
        {
            *index = offset;
        }
    }
    shisa_ir::registers_to_values(&mut folded, limits).map_err(|d| vec![d])?;
    shisa_ir::fold(&mut folded);
    let offsets = self::reads(&folded).into_iter().map(|v| match folded.nodes.op(v) {
        Op::ReadAt { index, .. } => folded.nodes.op(index),
        op => op,
    });
    let code: Vec<_> = instructions(code).collect();
    let mut blocks: Vec<Block> = Vec::new();
    let mut faults = Vec::new();
    for (v, known) in reads.into_iter().zip(offsets) {
        let node = func.nodes.list[v.index()];
        let Op::ReadAt { base, index, swizzle, .. } = node.op else { continue };
        let Some((at, insn)) = code.get(node.origin as usize) else { continue };
        let bytes = *at..at + length(insn);
        let Some((_, behind)) = block::offset(&func.nodes, index) else { continue };
        let Op::Const(offset) = known else {
            let text = "the offset of the block in the tile is not constant";
            faults.push(Diagnostic::error("translate-tile", text).at_bytes(bytes, ""));
            continue;
        };
        let unit = (offset + behind) / 2;
        // A word has two halves.
        if unit + 2 > TILE_HALVES.into() {
            let text = "the block is past the bytes of a pixel in the tile";
            faults.push(Diagnostic::error("translate-tile", text).at_bytes(bytes, ""));
            continue;
        }
        func.nodes.list[v.index()].op = Op::Read { reg: Reg::new(TILE, base + unit as u16), swizzle };
        if blocks.iter().all(|b| b.insn != bytes || b.offset != offset) {
            blocks.push(Block { insn: bytes, offset, format: block::format(insn) });
        }
    }
    faults.dedup();
    if faults.is_empty() { Ok(blocks) } else { Err(faults) }
}

/// The reads of the tile with a computed index, in order.
fn reads(func: &Func) -> Vec<Value> {
    let reads = |v: &Value| matches!(func.nodes.op(*v), Op::ReadAt { file: TILE, .. });
    func.blocks.iter().flat_map(|b| &b.body).copied().filter(reads).collect()
}
