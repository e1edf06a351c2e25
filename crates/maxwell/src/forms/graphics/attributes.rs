//! What loads and stores of attributes do.
//!
//! The space of a vertex has 256 components, of the patch as many. ISBERD yields the number of a vertex of the lane's
//! primitive; a lane sees only its own primitive, so that `SR_INVOCATION_INFO` has primitive 0.
//!
//! A physical address is the logical one here. Drivers and emulators use AL2P only before such accesses, so nothing
//! else of it can be observed.

use super::{COUNT, OUTPUT, SHIFT, Shift};
use crate::ShaderStage;
use crate::component::DOMAIN;
use crate::drawing::{ATTRIBUTE_BYTES, COMPONENTS, Drawing};
use crate::forms::suffixes;
use crate::operand::{A, AT, C, D, MaxwellLift, P, RZ, fixed_attribute, registers};
use crate::registers::{ATTRIBUTES, OUTPUTS, PATCH};
use shisa_diag::Diagnostic;
use shisa_ir::{FileId, LaneOp, Mask, Op, Reg, Scalar, Space, Swizzle, Type, Value};

/// How many components the instruction accesses.
fn count(l: &MaxwellLift<'_, '_>) -> u8 {
    1 + COUNT.get(&l.insn.word) as u8
}

fn stage(l: &MaxwellLift<'_, '_>) -> Option<ShaderStage> {
    l.ctx.drawing.map(|drawing| drawing.stage)
}

/// Whether an output exists, as far as the header states it.
fn written(drawing: Option<&Drawing>, component: u16) -> bool {
    drawing.is_none_or(|drawing| drawing.writes(component))
}

/// The first component that an instruction without a register names; `None` after refusing an address between
/// components or past the space.
pub(super) fn component(l: &mut MaxwellLift<'_, '_>, count: u8) -> Option<u16> {
    let address = fixed_attribute(&l.insn).unwrap_or(0);
    if !address.is_multiple_of(4) {
        l.refuse(Diagnostic::error("lift-attribute", "attributes are at addresses that are multiples of 4"));
        return None;
    }
    if address / 4 + u16::from(count) > COMPONENTS {
        let text = alloc::format!("attributes end at address {ATTRIBUTE_BYTES:#x}");
        l.refuse(Diagnostic::error("lift-attribute", text));
        return None;
    }
    Some(address / 4)
}

/// The register that names a vertex or a lane, if there is one.
fn vertex(l: &mut MaxwellLift<'_, '_>) -> Option<Value> {
    let n = l.insn.field(C);
    (n != RZ).then(|| registers(l, n, 1))
}

/// Joins components, of which some do not exist and are zero.
fn existing(l: &mut MaxwellLift<'_, '_>, value: Value, exists: impl Fn(u8) -> bool) -> Value {
    let count = l.ty(value).count;
    if (0..count).all(&exists) {
        return value;
    }
    let mut parts = [value; 4];
    for (i, part) in (0..count).zip(&mut parts) {
        *part = if exists(i) { l.component(value, i) } else { l.i32(0) };
    }
    l.join(&parts[..usize::from(count)])
}

/// Loads attributes from a fixed address.
pub(super) fn load(l: &mut MaxwellLift<'_, '_>) {
    let count = count(l);
    let Some(first) = component(l, count) else { return };
    let output = OUTPUT.field.get(&l.insn.word) != 0;
    if output {
        return load_output(l, first, count);
    }
    let ty = Scalar::I32.by(count);
    let value = match vertex(l) {
        Some(vertex) => {
            let shift = l.i32(COMPONENTS.trailing_zeros() as i32);
            let index = l.shl(vertex, shift);
            let swizzle = Swizzle::IDENTITY;
            l.push(Op::ReadAt { file: ATTRIBUTES, base: first, stride: 1, index, swizzle }, ty)
        }
        None => l.read(Reg::new(ATTRIBUTES, first), Swizzle::IDENTITY, ty),
    };
    let drawing = l.ctx.drawing;
    let exists = |i: u8| drawing.is_none_or(|drawing| drawing.reads(first + u16::from(i)));
    let value = existing(l, value, exists);
    l.set(D, value);
}

/// Loads outputs of the lane that a register names, or of the own one. The position in the domain of tessellation is an
/// output that the hardware has written.
fn load_output(l: &mut MaxwellLift<'_, '_>, first: u16, count: u8) {
    if refuses_outputs(l) {
        return;
    }
    let domain = stage(l) == Some(ShaderStage::TessellationEvaluation) && DOMAIN.contains(&first);
    let file = if domain { ATTRIBUTES } else { OUTPUTS };
    let own = l.read(Reg::new(file, first), Swizzle::IDENTITY, Scalar::I32.by(count));
    let value = match vertex(l) {
        Some(lane) => l.push(Op::Lane { op: LaneOp::Fetch, a: own, b: lane }, Scalar::I32.by(count)),
        None => own,
    };
    l.set(D, value);
}

/// Refuses a load of outputs where the stage has none that could be loaded.
fn refuses_outputs(l: &mut MaxwellLift<'_, '_>) -> bool {
    let refused = stage(l) == Some(ShaderStage::Geometry);
    if refused {
        l.refuse(Diagnostic::error("lift-attribute", "a geometry program cannot load its outputs"));
    }
    refused
}

/// The component that a register holds the address of. Its two lowest bits do not count.
fn indexed(l: &mut MaxwellLift<'_, '_>) -> Value {
    let (address, two) = (l.src(AT), l.i32(2));
    l.lshr(address, two)
}

/// Reads consecutive components of a file from a computed one on.
fn read_at(l: &mut MaxwellLift<'_, '_>, file: FileId, index: Value, count: u8) -> Value {
    let swizzle = Swizzle::IDENTITY;
    l.push(Op::ReadAt { file, base: 0, stride: 1, index, swizzle }, Scalar::I32.by(count))
}

/// Loads attributes from an address in a register.
pub(super) fn load_physical(l: &mut MaxwellLift<'_, '_>) {
    let count = count(l);
    let mut index = indexed(l);
    if OUTPUT.field.get(&l.insn.word) != 0 {
        if refuses_outputs(l) {
            return;
        }
        if vertex(l).is_some() {
            let text =
                "a load of outputs of another lane from an address in a register is not described anywhere";
            return l.refuse(Diagnostic::error("lift-attribute", text));
        }
        let value = read_at(l, OUTPUTS, index, count);
        return l.set(D, value);
    }
    if let Some(vertex) = vertex(l) {
        let shift = l.i32(COMPONENTS.trailing_zeros() as i32);
        let first = l.shl(vertex, shift);
        index = l.iadd(first, index);
    }
    let value = read_at(l, ATTRIBUTES, index, count);
    l.set(D, value);
}

/// Loads attributes of the patch: those that the program itself stores, or those of the stage before it.
pub(super) fn load_patch(l: &mut MaxwellLift<'_, '_>) {
    let count = count(l);
    let address = l.src(AT);
    let value = if OUTPUT.field.get(&l.insn.word) != 0 {
        if refuses_patch(l, "loads the attributes of the patch that it stores") {
            return;
        }
        l.load(Space::Shared, address, Scalar::I32.by(count))
    } else if let Some(first) = fixed_attribute(&l.insn) {
        if first % 4 != 0 || component(l, count).is_none() {
            return;
        }
        l.read(Reg::new(PATCH, first / 4), Swizzle::IDENTITY, Scalar::I32.by(count))
    } else {
        let two = l.i32(2);
        let index = l.lshr(address, two);
        read_at(l, PATCH, index, count)
    };
    l.set(D, value);
}

/// Stores an output at a fixed address. In geometry programs the last operand is the state of emission; where that is
/// damaged, the store is suppressed.
pub(super) fn store(l: &mut MaxwellLift<'_, '_>) {
    let count = count(l);
    let Some(first) = component(l, count) else { return };
    let n = l.insn.field(D);
    let mut value = registers(l, n, count);
    let reg = Reg::new(OUTPUTS, first);
    let drawing = l.ctx.drawing;
    let mask = (0..count).filter(|i| written(drawing, first + u16::from(*i)));
    let mask = Mask(mask.fold(0, |mask, i| mask | 1 << i));
    if let Some(valid) = super::emit::may_store(l) {
        let old = l.read(reg, Swizzle::IDENTITY, Scalar::I32.by(count));
        value = l.select(valid, value, old);
    }
    if mask.0 != 0 {
        let value = l.swizzle(value, Swizzle::IDENTITY.under(mask), mask.count());
        l.write(reg, mask, value);
    }
}

/// Stores an output at an address in a register: every output that the header has is written, with what it holds where
/// the address is another.
pub(super) fn store_physical(l: &mut MaxwellLift<'_, '_>) {
    let count = count(l);
    let index = indexed(l);
    let n = l.insn.field(D);
    let value = registers(l, n, count);
    let valid = super::emit::may_store(l);
    let drawing = l.ctx.drawing;
    for component in (0..COMPONENTS).filter(|component| drawing.is_none_or(|d| d.has_output(*component))) {
        let reg = Reg::new(OUTPUTS, component);
        let mut new = l.read(reg, Swizzle::IDENTITY, Type::I32);
        for i in 0..count {
            let at = l.i32(i32::from(component) - i32::from(i));
            let mut here = l.ieq(index, at);
            if let Some(valid) = valid {
                here = l.and(here, valid);
            }
            let part = l.component(value, i);
            new = l.select(here, part, new);
        }
        l.write(reg, Mask::first(1), new);
    }
}

/// Refuses what only a tessellation control program does in programs of other stages.
fn refuses_patch(l: &mut MaxwellLift<'_, '_>, what: &str) -> bool {
    let refused = stage(l).is_some_and(|stage| stage != ShaderStage::TessellationControl);
    if refused {
        let text = alloc::format!("only a tessellation control program {what}");
        l.refuse(Diagnostic::error("lift-attribute", text));
    }
    refused
}

/// Stores attributes of the patch, which all lanes of the patch share.
pub(super) fn store_patch(l: &mut MaxwellLift<'_, '_>) {
    if refuses_patch(l, "stores attributes of the patch") {
        return;
    }
    let address = l.src(AT);
    let n = l.insn.field(D);
    let value = registers(l, n, count(l));
    l.store(Space::Shared, address, value);
}

/// The physical address of an attribute, and whether it is past the space.
pub(super) fn physical(l: &mut MaxwellLift<'_, '_>) {
    let n = l.insn.field(A);
    let offset = Shift::value(&SHIFT, &l.insn.word) as i32;
    let (base, offset) = (registers(l, n, 1), l.i32(offset));
    let address = l.iadd(base, offset);
    l.set(D, address);
    let end = l.i32(ATTRIBUTE_BYTES.into());
    let inside = l.ult(address, end);
    let outside = l.not(inside);
    l.set(P, outside);
}

/// The number of a vertex as ALD takes it, from its number among the vertices of the warp. Emulators pass the number on
/// in the same manner, and the space of a lane has only its own primitive.
pub(super) fn vertex_number(l: &mut MaxwellLift<'_, '_>) {
    let suffixed = suffixes(&l.insn).any(|suffix| !suffix.is_empty());
    if suffixed {
        let text = "nothing public describes what ISBERD reads with a suffix";
        return l.refuse(Diagnostic::error("lift-vertices", text));
    }
    let number = l.src(AT);
    l.set(D, number);
}
