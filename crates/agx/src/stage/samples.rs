//! Multisampled pixels: in the target languages the program runs once for each sample.

use crate::registers::{BIT_OF_SAMPLE, MOST_SAMPLES, OTHER_SAMPLE, OWN_SAMPLE};
use crate::sample_loop::SampleLoop;
use alloc::{vec, vec::Vec};
use shisa_diag::Diagnostic;
use shisa_ir::{
    Builder, Control, Convert, Func, Lifted, Op, Reg, Scalar, Swizzle, Type, Value, fold, remove_dead, scalar,
};

/// Makes the body of the loop over samples run once: a lane runs the iteration of its own sample.
pub(super) fn one_iteration(lifted: &mut Lifted, samples: SampleLoop) {
    if let Some(jump) = lifted.find(samples.jump as u32) {
        lifted.steps[jump].control = Control::default();
    }
    let Some(start) = lifted.find(samples.start() as u32) else { return };
    for n in lifted.steps[start].nodes.clone() {
        let node = &mut lifted.nodes.list[n as usize];
        if let Op::Const(_) = node.op {
            node.op = Op::Read { reg: BIT_OF_SAMPLE, swizzle: Swizzle::IDENTITY };
        }
    }
}

/// The bit of the lane's own sample.
pub(super) fn own_bit(b: &mut Builder<'_>, samples: u16) -> Value {
    let one = b.i32(1);
    if samples == 1 {
        return one;
    }
    let own = b.read(OWN_SAMPLE, Swizzle::IDENTITY, Type::I32);
    b.shl(one, own)
}

/// Sets which bit the iteration of a lane's own sample has in a loop over `iterations` samples.
pub(super) fn number(func: &mut Func, samples: u16, iterations: u16) {
    func.rewrite(|b, v| match b.nodes.op(v) {
        Op::Read { reg, .. } if reg == BIT_OF_SAMPLE => {
            let ty = b.ty(v);
            let mut bit = own_bit(b, samples);
            if samples > iterations {
                let all = b.i32((1 << iterations) - 1);
                bit = b.and(bit, all);
            }
            Some(if ty.scalar == Scalar::I32 { bit } else { b.convert(Convert::Truncate, bit, ty.scalar) })
        }
        _ => None,
    });
}

/// Computes values that depend on the sample alone and are the same for all samples, which determines whether the
/// accessed samples are the lane's own. Runs after [`shisa_ir::simplify`].
///
/// # Errors
/// `translate-sample` if an access may be to another sample.
pub(super) fn settle(func: &mut Func, samples: u16) -> Result<(), Vec<Diagnostic>> {
    if samples == 1 {
        return Ok(());
    }
    let mut known = Known { samples: samples.into(), of: vec![None; func.nodes.list.len()] };
    for block in func.reverse_postorder() {
        for v in &func.blocks[block.index()].body {
            known.of[v.index()] = known.compute(func, *v);
        }
    }
    for (node, values) in func.nodes.list.iter_mut().zip(&known.of) {
        if let Some([one, others @ ..]) = values
            && others[..usize::from(samples) - 1].iter().all(|n| n == one)
        {
            node.op = Op::Const(*one);
        }
    }
    fold(func);
    remove_dead(func);
    if !reads(func, OTHER_SAMPLE) {
        return Ok(());
    }
    // A program that processes the samples in turn may read data of others that it then stores for none of them.
    for sample in 0..samples {
        let mut one = func.clone();
        fix(&mut one, OWN_SAMPLE, sample.into());
        fold(&mut one);
        remove_dead(&mut one);
        if reads(&one, OTHER_SAMPLE) {
            let text = "the program reads what belongs to another sample of the pixel than its own";
            let d = Diagnostic::error("translate-sample", text);
            let help = "other languages run it for each sample by itself, where none sees the others";
            return Err(vec![d.help(help)]);
        }
    }
    fix(func, OTHER_SAMPLE, 0);
    Ok(())
}

fn reads(func: &Func, register: Reg) -> bool {
    let read = |v: &Value| matches!(func.nodes.op(*v), Op::Read { reg, .. } if reg == register);
    func.blocks.iter().flat_map(|b| &b.body).any(read)
}

/// Replaces reads of a register by a number.
fn fix(func: &mut Func, register: Reg, number: u64) {
    for node in &mut func.nodes.list {
        if matches!(node.op, Op::Read { reg, .. } if reg == register) {
            node.op = Op::Const(number);
        }
    }
}

/// The value of each sample, for values that depend on nothing else.
struct Known {
    samples: usize,
    of: Vec<Option<[u64; MOST_SAMPLES as usize]>>,
}

impl Known {
    fn compute(&self, func: &Func, v: Value) -> Option<[u64; MOST_SAMPLES as usize]> {
        let ty = func.nodes.ty(v);
        let known = |v: Value| self.of[v.index()];
        let each = |f: &dyn Fn(usize) -> u64| {
            Some(core::array::from_fn(|sample| if sample < self.samples { f(sample) } else { 0 }))
        };
        if ty.count != 1 {
            return None;
        }
        match func.nodes.op(v) {
            Op::Const(n) => each(&|_| n),
            Op::Read { reg, .. } if reg == OWN_SAMPLE => each(&|sample| sample as u64),
            Op::Unary { op, rule, a } => {
                let (a, kind) = (known(a)?, func.nodes.ty(a).scalar);
                each(&|i| scalar::unary(op, rule, kind, a[i]))
            }
            Op::Binary { op, rule, a, b } => {
                let (x, y, kind) = (known(a)?, known(b)?, func.nodes.ty(a).scalar);
                each(&|i| scalar::binary(op, rule, kind, x[i], y[i]))
            }
            Op::Convert { op, rule, a } if op != Convert::Pair => {
                let (x, kind) = (known(a)?, func.nodes.ty(a).scalar);
                each(&|i| scalar::convert(op, rule, kind, ty.scalar, x[i]))
            }
            _ => None,
        }
    }
}
