//! The stencil test and the depth test.

use crate::Compare;

/// What a test does to the stencil value of a pixel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StencilAction {
    /// Nothing.
    #[default]
    Keep,
    /// It becomes 0.
    Zero,
    /// It becomes the reference.
    Replace,
    /// 1 is added, up to 255.
    Increment,
    /// 1 is subtracted, down to 0.
    Decrement,
    /// All bits are inverted.
    Invert,
    /// 1 is added; 0 follows 255.
    IncrementWrap,
    /// 1 is subtracted; 255 follows 0.
    DecrementWrap,
}

impl StencilAction {
    /// All actions with their names.
    pub const ALL: [(&'static str, StencilAction); 8] = [
        ("keep", StencilAction::Keep),
        ("zero", StencilAction::Zero),
        ("replace", StencilAction::Replace),
        ("increment", StencilAction::Increment),
        ("decrement", StencilAction::Decrement),
        ("invert", StencilAction::Invert),
        ("increment_wrap", StencilAction::IncrementWrap),
        ("decrement_wrap", StencilAction::DecrementWrap),
    ];

    fn value(self, stored: u8, reference: u8) -> u8 {
        match self {
            StencilAction::Keep => stored,
            StencilAction::Zero => 0,
            StencilAction::Replace => reference,
            StencilAction::Increment => stored.saturating_add(1),
            StencilAction::Decrement => stored.saturating_sub(1),
            StencilAction::Invert => !stored,
            StencilAction::IncrementWrap => stored.wrapping_add(1),
            StencilAction::DecrementWrap => stored.wrapping_sub(1),
        }
    }
}

/// The stencil test of primitives that show their front, or their back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StencilFace {
    /// Compares the reference with the stored value.
    pub compare: Compare,
    /// The value that is compared.
    pub reference: u8,
    /// The bits that are compared.
    pub read_mask: u8,
    /// The bits that actions change.
    pub write_mask: u8,
    /// Where the test fails.
    pub fail: StencilAction,
    /// Where it passes, and the depth test fails.
    pub depth_fail: StencilAction,
    /// Where both pass.
    pub pass: StencilAction,
}

/// The depth test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DepthTest {
    /// Compares the depth of the primitive with the stored one.
    pub compare: Compare,
    /// Whether the depth is stored where the test passes.
    pub writes: bool,
}

/// The tests of pixels; a test that is `None` passes and changes nothing.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PixelTests {
    /// The depth test.
    pub depth: Option<DepthTest>,
    /// The stencil test, for fronts and for backs.
    pub stencil: Option<[StencilFace; 2]>,
}

/// What is stored for a pixel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Stored {
    /// Its depth.
    pub depth: f32,
    /// Its stencil value.
    pub stencil: u8,
}

impl PixelTests {
    /// Whether a pixel of a primitive passes; updates what is stored for it. `front` states which side the primitive shows.
    pub fn pass(&self, front: bool, depth: f32, stored: &mut Stored) -> bool {
        let face = self.stencil.map(|[of_front, of_back]| if front { of_front } else { of_back });
        let held = face.is_none_or(|face| {
            let [reference, value] = [face.reference, stored.stencil].map(|n| f32::from(n & face.read_mask));
            face.compare.holds(reference, value)
        });
        let nearer = || self.depth.is_none_or(|test| test.compare.holds(depth, stored.depth));
        let (passes, action): (bool, fn(&StencilFace) -> StencilAction) = match held {
            false => (false, |face| face.fail),
            true if nearer() => (true, |face| face.pass),
            true => (false, |face| face.depth_fail),
        };
        if let Some(face) = &face {
            let value = action(face).value(stored.stencil, face.reference);
            stored.stencil = stored.stencil & !face.write_mask | value & face.write_mask;
        }
        if passes && self.depth.is_some_and(|test| test.writes) {
            stored.depth = depth;
        }
        passes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACE: StencilFace = StencilFace {
        compare: Compare::Equal,
        reference: 0x35,
        read_mask: 0xff,
        write_mask: 0xff,
        fail: StencilAction::Zero,
        depth_fail: StencilAction::Invert,
        pass: StencilAction::Increment,
    };
    const NEARER: DepthTest = DepthTest { compare: Compare::Less, writes: true };

    fn tested(tests: PixelTests, front: bool, depth: f32, stencil: u8) -> (bool, f32, u8) {
        let mut stored = Stored { depth: 0.5, stencil };
        let passes = tests.pass(front, depth, &mut stored);
        (passes, stored.depth, stored.stencil)
    }

    #[test]
    fn nearer_pixels_are_stored() {
        let of = |compare, writes| PixelTests { depth: Some(DepthTest { compare, writes }), stencil: None };
        assert_eq!(tested(of(Compare::Less, true), true, 0.25, 7), (true, 0.25, 7));
        assert_eq!(tested(of(Compare::Less, false), true, 0.25, 7), (true, 0.5, 7));
        assert_eq!(tested(of(Compare::Less, true), true, 0.5, 7), (false, 0.5, 7));
        assert_eq!(tested(of(Compare::GreaterEqual, true), true, 0.5, 7), (true, 0.5, 7));
        assert_eq!(tested(of(Compare::Less, true), true, f32::NAN, 7), (false, 0.5, 7));
        assert_eq!(tested(PixelTests::default(), true, 0.75, 7), (true, 0.5, 7));
    }

    #[test]
    fn each_outcome_has_its_action() {
        let tests = PixelTests { depth: Some(NEARER), stencil: Some([FACE; 2]) };
        assert_eq!(tested(tests, true, 0.25, 0x34), (false, 0.5, 0));
        assert_eq!(tested(tests, true, 0.75, 0x35), (false, 0.5, 0xca));
        assert_eq!(tested(tests, true, 0.25, 0x35), (true, 0.25, 0x36));
        // Without a depth test, the stencil test decides.
        let tests = PixelTests { depth: None, stencil: Some([FACE; 2]) };
        assert_eq!(tested(tests, true, 0.75, 0x35), (true, 0.5, 0x36));
    }

    #[test]
    fn masks_and_sides_count() {
        let masked = StencilFace { read_mask: 0x0f, write_mask: 0xf0, pass: StencilAction::Invert, ..FACE };
        let tests = PixelTests { depth: None, stencil: Some([masked, FACE]) };
        assert_eq!(tested(tests, true, 0.0, 0xa5), (true, 0.5, 0x55));
        assert_eq!(tested(tests, false, 0.0, 0xa5), (false, 0.5, 0));
        // The reference is compared with the stored value: 5 < 6.
        let less = StencilFace { compare: Compare::Less, ..masked };
        let tests = PixelTests { depth: None, stencil: Some([less; 2]) };
        assert!(tested(tests, true, 0.0, 6).0 && !tested(tests, true, 0.0, 5).0);
    }

    #[test]
    fn actions_change_the_value() {
        let values = StencilAction::ALL.map(|(_, action)| [0, 7, 255].map(|stored| action.value(stored, 9)));
        let expected = [
            [0, 7, 255],
            [0, 0, 0],
            [9, 9, 9],
            [1, 8, 255],
            [0, 6, 254],
            [255, 248, 0],
            [1, 8, 0],
            [255, 6, 254],
        ];
        assert_eq!(values, expected);
    }
}
