//! Sources: registers read, directly or through an index.

use super::finding::Part;
use super::state::{Go, Walk, named};
use crate::shape::Want;
use crate::{RegType, SamplerBits, Source};
use core::ops::ControlFlow::Continue;
use shisa_ir::{Stage, Swizzle};

/// Whether the swizzle names one component four times.
pub(super) fn is_scalar(swizzle: Swizzle) -> bool {
    swizzle == Swizzle::splat(swizzle.get(0))
}

impl Walk<'_> {
    /// Checks a single source.
    #[inline(always)]
    pub(super) fn source(&mut self, part: Part, want: Want) -> Go {
        let source = self.source_bits(part);
        if want == Want::Nothing {
            return if source.0 == 0 { Continue(()) } else { self.report(3636, Some(part)) };
        }
        // Compared including its reserved bits: a sampler with one of them set is not a sampler.
        if (source.0 >> 32) as u8 == RegType::SAMPLER.0 {
            return self.sampler(part, want, SamplerBits(source.0));
        }
        if want == Want::Sampler {
            return self.report(3693, Some(part));
        }
        if source.is_plain() {
            return self.direct(part, want, source);
        }
        if source.reserved() != 0 {
            self.report(3654, Some(part))?;
        }
        if source.indirect() {
            return self.indirect(part, want, source);
        }
        if source.index_bits() != 0 {
            self.report(3643, Some(part))?;
        }
        self.direct(part, want, source)
    }

    fn indirect(&mut self, part: Part, want: Want, source: Source) -> Go {
        if self.stage != Stage::Vertex {
            self.report(3639, Some(part))?;
        }
        if source.kind() != RegType::CONSTANT {
            self.report(3640, Some(part))?;
        }
        if want == Want::Coordinate {
            self.report(3641, Some(part))?;
        }
        let kind = source.index_kind();
        if let Some(fault) = self.out_of_range(kind, u32::from(source.number()), Stage::Vertex) {
            self.report(fault, Some(part))?;
        } else if kind == RegType::TEMPORARY {
            self.written(part, source.number(), 1 << source.index_component())?;
        } else if !matches!(kind, RegType::ATTRIBUTE | RegType::CONSTANT) {
            self.report(3642, Some(part))?;
        }
        self.scalar(part, want, source)
    }

    #[inline(always)]
    fn direct(&mut self, part: Part, want: Want, source: Source) -> Go {
        let (kind, number) = (source.kind(), u32::from(source.number()));
        let last = if let Want::Matrix(rows) = want { number + u32::from(rows) - 1 } else { number };
        let fault = self.out_of_range(kind, last, self.stage);
        if let Some(fault) = fault {
            self.report(fault, Some(part))?;
        }
        self.scalar(part, want, source)?;
        let vertex = self.stage == Stage::Vertex;
        let number = match kind {
            RegType::VARYING if vertex => 3644,
            RegType::ATTRIBUTE if !vertex => 3645,
            RegType::OUTPUT => 3646,
            // For a matrix, Flash checks only the first row.
            RegType::TEMPORARY if fault.is_none() => {
                return self.written(part, source.number(), named(source.swizzle()));
            }
            RegType::DEPTH if vertex && fault.is_none() => 3750,
            RegType::DEPTH if fault.is_none() => 3646,
            RegType::INSTANCE if !vertex && fault.is_none() => 3788,
            _ => return Continue(()),
        };
        self.report(number, Some(part))
    }

    fn scalar(&mut self, part: Part, want: Want, source: Source) -> Go {
        let sound = want != Want::Scalar || is_scalar(source.swizzle());
        if sound { Continue(()) } else { self.report(3703, Some(part)) }
    }

    /// Checks that the components read of a temporary were written.
    fn written(&mut self, part: Part, number: u16, read: u8) -> Go {
        match self.temporaries.get(usize::from(number)) {
            Some(0) => self.report(3647, Some(part)),
            Some(written) if read & !written != 0 => self.report(3648, Some(part)),
            _ => Continue(()),
        }
    }
}
