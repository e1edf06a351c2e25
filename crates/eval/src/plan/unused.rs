//! Operations whose results nobody looks at, such as high halves that are cut off.

use super::Planner;
use crate::micro::{Micro, P, TexPlan};

impl Micro {
    /// The planes that it computes, where that is all it does.
    fn result(&self) -> Option<(P, bool)> {
        match *self {
            Micro::Fast { dst, .. }
            | Micro::Dot { dst, .. }
            | Micro::Gather { dst, .. }
            | Micro::Neighbour { dst, .. } => Some((dst, false)),
            Micro::Slow { dst, wide, .. }
            | Micro::Lane { dst, wide, .. }
            | Micro::Combine { dst, wide, .. } => Some((dst, wide)),
            _ => None,
        }
    }

    /// The planes that it looks at.
    pub(crate) fn sources(&self, samples: &[TexPlan], mut f: impl FnMut(P)) {
        match *self {
            Micro::Fast { op, args, .. } => args.iter().take(op.operands()).for_each(|a| f(*a)),
            Micro::Write { src, .. } | Micro::WriteHalves { src, .. } => f(src),
            Micro::Slow { args, .. } => args.iter().flatten().for_each(|a| f(*a)),
            Micro::Dot { a, b, .. } => a.iter().chain(&b).for_each(|a| f(*a)),
            Micro::Gather { first, units, index, .. } => {
                (first..first + units).for_each(&mut f);
                f(index);
            }
            Micro::Neighbour { a, .. } => f(a),
            Micro::Lane { a, b, .. } => [a[0], a[1], b].into_iter().for_each(f),
            Micro::Texture { sample, .. } | Micro::TextureStore { sample } => {
                if let Some(sample) = samples.get(sample as usize) {
                    sample.map(|planes| planes.iter().for_each(|p| f(*p)));
                }
            }
            Micro::Load { address, .. } => address.into_iter().for_each(f),
            Micro::Store { address, value, .. } => address.into_iter().chain(value).for_each(f),
            Micro::Combine { a, .. } => a.into_iter().for_each(f),
            Micro::Atomic { address, value, expected, .. } => {
                address.into_iter().chain(value).chain(expected).for_each(f);
            }
            Micro::Guard { cond } | Micro::Kill { cond } => f(cond),
            Micro::SetEmit(_) | Micro::Emit | Micro::Barrier => {}
        }
    }
}

impl Planner<'_> {
    /// Removes them from the step whose operations begin at `start`.
    pub(super) fn remove_unused(&mut self, start: usize, control: [Option<P>; 2]) {
        let scratch = self.layout.end();
        let mut used = vec![false; (self.next - scratch) as usize];
        let slot = |plane: P| plane.checked_sub(scratch).map(|i| i as usize);
        let mark = |used: &mut Vec<bool>, plane: P| {
            if let Some(used) = slot(plane).and_then(|i| used.get_mut(i)) {
                *used = true;
            }
        };
        for plane in control.into_iter().flatten() {
            mark(&mut used, plane);
        }
        let mut kept = Vec::with_capacity(self.ops.len() - start);
        while self.ops.len() > start
            && let Some(op) = self.ops.pop()
        {
            let looked_at = |plane: P| slot(plane).is_none_or(|i| used.get(i) == Some(&true));
            if let Some((dst, wide)) = op.result()
                && !looked_at(dst)
                && !(wide && looked_at(dst + 1))
            {
                continue;
            }
            op.sources(&self.samples, |plane| mark(&mut used, plane));
            kept.push(op);
        }
        self.ops.extend(kept.into_iter().rev());
    }
}
