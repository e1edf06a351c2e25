//! Finds components of values, and assembles values from components.

use super::state::{Body, Part};
use crate::syntax::{Expr, Expression};
use shisa_ir::{Op, Swizzle, Type, Value};

/// The longest chain of swizzles and joins that is looked through.
const LONGEST: usize = 16;

impl Body<'_, '_> {
    /// Where component `i` of `v` is stored: looks through swizzles and joins that have no name.
    pub(super) fn component_of(&mut self, mut v: Value, mut i: u8) -> Part {
        // A chain of swizzles and joins is no longer than an instruction makes it; the bound is for safety.
        for _ in 0..LONGEST {
            let op = &self.node(v).op;
            match *op {
                Op::Swizzle { a, swizzle } if !self.plan.escapes(v) && !self.plan.escapes(a) => {
                    i = swizzle.get(i);
                    v = a;
                }
                Op::Join { parts } if !self.plan.named(op, v) && !self.plan.escapes(v) => {
                    v = parts[usize::from(i & 3)];
                    i = 0;
                }
                _ => break,
            }
        }
        Part { base: self.get(v), index: i, count: self.ty(v).count }
    }

    /// Where all components that a swizzle of `v` picks are stored: one vector, with the components of it. `Err` for
    /// a join without a name, whose components are stored apart.
    pub(super) fn vector_of(
        &mut self,
        mut v: Value,
        mut swizzle: Swizzle,
    ) -> Result<(Value, Swizzle), (Value, Swizzle)> {
        for _ in 0..LONGEST {
            let op = &self.node(v).op;
            match *op {
                Op::Swizzle { a, swizzle: first } if !self.plan.escapes(v) && !self.plan.escapes(a) => {
                    (v, swizzle) = (a, first.then(swizzle));
                }
                Op::Join { .. } if !self.plan.named(op, v) && !self.plan.escapes(v) => {
                    return Err((v, swizzle));
                }
                _ => break,
            }
        }
        Ok((v, swizzle))
    }

    /// The components that a swizzle picks of a value that is stored in one vector.
    pub(super) fn swizzled(&mut self, v: Value, swizzle: Swizzle, count: u8) -> Expr {
        let (base, of) = (self.get(v), self.ty(v).count);
        self.picked(base, of, swizzle, count)
    }

    /// The components that a swizzle picks of an expression of `of` components.
    pub(super) fn picked(&mut self, base: Expr, of: u8, swizzle: Swizzle, count: u8) -> Expr {
        match count {
            _ if of <= 1 => self.splat(base, count),
            0 | 1 => self.member(base, swizzle.get(0).into()),
            _ if count == of && swizzle.keeps(count) => base,
            _ => {
                let last = count.min(4) - 1;
                let pattern = std::array::from_fn(|i| swizzle.get((i as u8).min(last)));
                self.push(Expression::Swizzle { count: last + 1, vector: base, pattern })
            }
        }
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
        let (mut pattern, mut last) = ([0; 4], 0);
        for (to, from) in pattern.iter_mut().zip(run) {
            let Some(part) = from else {
                return self.nothing("a component is picked that does not exist");
            };
            last = part.index & 3;
            *to = last;
        }
        if run.len() == usize::from(p.count)
            && pattern.iter().zip(0..).take(run.len()).all(|(at, i)| *at == i)
        {
            return p.base;
        }
        pattern.iter_mut().skip(run.len()).for_each(|at| *at = last);
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
