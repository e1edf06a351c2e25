//! Finds components of values, and assembles values from components.

use super::state::{Body, Part};
use crate::syntax::{Expr, Expression};
use shisa_ir::{Op, Type, Value};

impl Body<'_, '_> {
    /// Where component `i` of `v` is stored: looks through swizzles and joins that have no name.
    pub(super) fn component_of(&mut self, mut v: Value, mut i: u8) -> Part {
        // A chain of swizzles and joins is no longer than an instruction makes it; the bound is for safety.
        for _ in 0..16 {
            let op = &self.node(v).op;
            if self.plan.named(op, v) || self.plan.escapes(v) {
                break;
            }
            match *op {
                Op::Swizzle { a, swizzle } if !self.plan.escapes(a) => {
                    i = swizzle.get(i);
                    v = a;
                }
                Op::Join { parts } => {
                    v = parts[usize::from(i & 3)];
                    i = 0;
                }
                _ => break,
            }
        }
        Part { base: self.get(v), index: i, count: self.ty(v).count }
    }

    /// One component as a scalar.
    pub(super) fn component(&mut self, part: Part) -> Expr {
        match part.count {
            0 | 1 => part.base,
            _ => self.member(part.base, part.index.into()),
        }
    }

    /// A value of type `ty` from its components; missing ones are zero. Consecutive components of one vector are
    /// taken as one swizzle.
    pub(super) fn assemble(&mut self, ty: Type, parts: &[Option<Part>]) -> Expr {
        let count = ty.count.max(1);
        let Some(first) = parts.first().copied() else { return self.constant(ty, 0) };
        if parts.iter().all(|p| p.is_none()) {
            return self.constant(ty, 0);
        }
        if let Some(first) = first
            && count > 1
            && first.count <= 1
            && parts.iter().all(|p| *p == Some(first))
        {
            return self.splat(first.base, count);
        }
        if let Some(first) = first
            && (first.count > 1 || parts.len() == 1)
            && parts.iter().all(|p| p.is_some_and(|p| p.base == first.base && p.count == first.count))
        {
            return self.pick(first, parts);
        }
        let (mut components, mut n) = ([Expr::new(0); 4], 0);
        let mut i = 0;
        while i < parts.len().min(4) {
            let (component, run) = match parts[i] {
                None => (self.constant(ty.with_count(1), 0), 1),
                Some(p) => {
                    let same = |q: &&Option<Part>| q.is_some_and(|q| q.base == p.base && q.count == p.count);
                    let run = if p.count > 1 { parts[i..].iter().take_while(same).count() } else { 1 };
                    (self.pick(p, &parts[i..i + run]), run)
                }
            };
            components[n] = component;
            n += 1;
            i += run;
        }
        self.compose(ty, &components[..n])
    }

    /// Components of one expression.
    fn pick(&mut self, p: Part, run: &[Option<Part>]) -> Expr {
        if run.len() <= 1 {
            return self.component(p);
        }
        if run.contains(&None) {
            return self.nothing("a component is picked that does not exist");
        }
        let index = |i: usize| run.get(i).copied().flatten().map_or(0, |q| q.index & 3);
        if run.len() == usize::from(p.count) && (0..run.len()).all(|i| usize::from(index(i)) == i) {
            return p.base;
        }
        let pattern = std::array::from_fn(|i| index(i.min(run.len() - 1)));
        self.push(Expression::Swizzle { count: run.len() as u8, vector: p.base, pattern })
    }

    /// A value from its components, of which there is at least one.
    pub(super) fn compose(&mut self, ty: Type, components: &[Expr]) -> Expr {
        match components {
            [only] => *only,
            _ => {
                let ty = self.types.ir(ty);
                self.composed(ty, components)
            }
        }
    }
}
