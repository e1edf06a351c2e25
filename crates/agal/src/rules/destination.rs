//! Destinations: registers written.

use super::finding::Part;
use super::state::{Go, Walk};
use crate::shape::Wants;
use crate::{Dest, RegType};
use core::ops::ControlFlow::Continue;
use shisa_ir::Stage;

const PART: Option<Part> = Some(Part::Destination);

/// Register kinds that Adobe's validator has for internal use. It considers them in range, whatever their number,
/// before it checks the reserved bits.
const INTERNAL: [u8; 4] = [0x11, 0x12, 0x13, 0x16];

impl Walk<'_> {
    /// Checks the destination and records the written components.
    #[inline]
    pub(super) fn destination(&mut self, wants: Wants) -> Go {
        let dest = Dest::of(self.word);
        if !wants.dest {
            return if dest.0 == 0 { Continue(()) } else { self.report(3627, PART) };
        }
        let (kind, mask) = (dest.kind(), dest.mask().0);
        let whole = (dest.0 >> 24) as u8;
        let fault = match whole {
            0..16 => self.out_of_range(kind, u32::from(dest.number()), Stage::Vertex),
            _ if INTERNAL.contains(&whole) => None,
            _ => Some(3655),
        };
        if let Some(fault) = fault {
            self.report(fault, PART)?;
        }
        if dest.reserved() != 0 {
            self.report(3654, PART)?;
        }
        self.writable(kind, mask, fault.is_none())?;
        if mask == 0 {
            self.report(3653, PART)?;
        }
        if wants.width == 3 {
            // Adobe's validator of AGAL 1 accepts exactly xyz; the text since then allows fewer components.
            let sound = if self.version == 1 { mask == 7 } else { mask & 8 == 0 };
            if !sound {
                self.report(3628, PART)?;
            }
        }
        if kind == RegType::TEMPORARY
            && let Some(written) = self.temporaries.get_mut(usize::from(dest.number()))
        {
            *written |= mask;
        }
        Continue(())
    }

    /// Whether a register of this kind may be written here, with this mask. `exists` states that its number is in
    /// range.
    fn writable(&mut self, kind: RegType, mask: u8, exists: bool) -> Go {
        let vertex = self.stage == Stage::Vertex;
        match kind {
            RegType::SAMPLER => self.report(3649, PART),
            RegType::VARYING if !vertex => self.report(3650, PART),
            RegType::ATTRIBUTE => self.report(3651, PART),
            RegType::CONSTANT => self.report(3652, PART),
            RegType::INSTANCE if exists => self.report(3786, PART),
            RegType::DEPTH if exists => {
                if vertex {
                    return self.report(3750, PART);
                }
                if mask != 1 {
                    self.report(3756, PART)?;
                }
                self.outside_conditions()
            }
            RegType::OUTPUT => {
                if !vertex && mask != 15 {
                    self.report(3701, PART)?;
                }
                self.outside_conditions()?;
                if vertex || !exists { Continue(()) } else { self.colour() }
            }
            _ => Continue(()),
        }
    }

    fn outside_conditions(&mut self) -> Go {
        if self.blocks.depth > 0 { self.report(3751, PART) } else { Continue(()) }
    }

    /// Records that a colour is written.
    fn colour(&mut self) -> Go {
        let bit = 1 << (Dest::of(self.word).number() & 7);
        let twice = self.colours & bit != 0;
        self.colours |= bit;
        if twice && self.version > 1 { self.report(3744, PART) } else { Continue(()) }
    }
}
