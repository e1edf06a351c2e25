//! Samplers: their options, and that every use of a sampler has the same options.

use super::finding::Part;
use super::state::{Go, Walk};
use crate::shape::Want;
use crate::{Effect, RegType, SamplerBits};
use core::ops::ControlFlow::Continue;
use shisa_ir::Stage;

impl Walk<'_> {
    /// Checks a source that is a sampler.
    pub(super) fn sampler(&mut self, part: Part, want: Want, sampler: SamplerBits) -> Go {
        let part = Some(part);
        if let Some(fault) = self.out_of_range(RegType::SAMPLER, u32::from(sampler.number()), self.stage) {
            self.report(fault, part)?;
        }
        if self.version < 4 && self.stage != Stage::Fragment {
            self.report(3637, part)?;
        }
        if want != Want::Sampler {
            return self.report(3638, part);
        }
        // AGAL 1 has fewer values of some options.
        let (last_filter, last_wrap, flags) = if self.version == 1 { (1, 1, 0) } else { (5, 3, 7) };
        match sampler.dimension() {
            0 => {}
            1 if sampler.wrap() == 0 => {}
            1 => self.report(3662, part)?,
            _ => self.report(3664, part)?,
        }
        if sampler.filter() > last_filter {
            self.report(3665, part)?;
        } else if sampler.filter() > 1 && self.stage == Stage::Vertex {
            self.report(3804, part)?;
        }
        if sampler.mip() > 2 {
            self.report(3666, part)?;
        }
        if sampler.wrap() > last_wrap {
            self.report(3667, part)?;
        }
        if sampler.special() & !flags != 0 {
            self.report(3668, part)?;
        }
        if self.form.is_some_and(|f| f.attr.effect == Effect::SampleAnywhere) {
            if sampler.bias() != 0 {
                self.report(3740, part)?;
            }
            if sampler.mip() == 0 {
                self.report(3743, part)?;
            }
        }
        Continue(())
    }

    /// Checks that a sampler used before is used with the same options.
    pub(super) fn sampler_again(&mut self) -> Go {
        let sampler = SamplerBits(self.word[2]);
        let first = self.samplers.get_mut(usize::from(sampler.number()));
        let Some(first) = first.filter(|_| sampler.kind() == RegType::SAMPLER) else { return Continue(()) };
        if *first == 0 {
            *first = sampler.0;
        } else if *first != sampler.0 {
            return self.report(3696, Some(Part::Source2));
        }
        Continue(())
    }
}
