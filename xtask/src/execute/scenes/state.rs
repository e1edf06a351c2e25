//! The states of scenes: depth tests, blending and culling.

use shisa::data::pictures::{Cull, Render};
use shisa::eval::Compare;
use shisa::eval::draw::{Blend, Combination, DepthTest, Equation, Factor};
use shisa_fuzz_targets::Random;
use shisa_translate::execute::scene::{
    BlendComponent, BlendFactor, BlendOperation, BlendState, CompareFunction, Face, FrontFace,
    State as Device,
};

/// All comparisons.
const COMPARISONS: [Compare; 8] = [
    Compare::Less,
    Compare::LessEqual,
    Compare::Equal,
    Compare::NotEqual,
    Compare::Greater,
    Compare::GreaterEqual,
    Compare::Always,
    Compare::Never,
];

/// What happens to triangles and to their colours.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct State {
    pub(super) depth: Option<DepthTest>,
    /// The depth before anything is drawn.
    pub(super) cleared: f32,
    pub(super) blend: Option<Blend>,
    pub(super) constant: [f32; 4],
    pub(super) cull: Cull,
    /// Whether a device takes clockwise triangles as those that show their front. The results are the same.
    pub(super) is_front_clockwise: bool,
}

impl State {
    /// The state of a scene without tests and blending.
    pub(super) const PLAIN: State = State {
        depth: None,
        cleared: 1.0,
        blend: None,
        constant: [0.0; 4],
        cull: Cull::Nothing,
        is_front_clockwise: false,
    };

    /// The state of a number. Of 200 consecutive numbers, each comparison has 20 or 30, each factor of the program's colour at
    /// least 10, and each combination at least 30. About one eighth have no depth test, one fifth no blending.
    pub(super) fn new(number: usize) -> State {
        let mut random = Random::new(number as u64 + (1 << 32));
        let compare = COMPARISONS[number / 10 % COMPARISONS.len()];
        let depth = DepthTest { compare, writes: random.below(4) != 0 };
        let cleared = match compare {
            Compare::Greater | Compare::GreaterEqual => [0.0, 0.5],
            Compare::Equal | Compare::NotEqual => [0.5, 0.25],
            _ => [1.0, 0.5],
        };
        let cleared = cleared[random.below(2)];
        let mut factor = || Factor::ALL[random.below(Factor::ALL.len())].1;
        let [destination, source_of_alpha, destination_of_alpha] = [(); 3].map(|()| factor());
        let (_, source) = Factor::ALL[number % Factor::ALL.len()];
        let (_, combination) = Combination::ALL[number / Factor::ALL.len() % Combination::ALL.len()];
        let color = Equation { source, destination, combination };
        let (_, combination) = Combination::ALL[random.below(Combination::ALL.len())];
        let alpha = Equation { source: source_of_alpha, destination: destination_of_alpha, combination };
        let mut constant = [(); 4].map(|()| random.below(256) as f32 / 256.0);
        if constants(&color) == [true; 2] {
            constant = [constant[3]; 4];
        }
        State {
            depth: (random.below(8) != 0).then_some(depth),
            cleared,
            blend: (random.below(5) != 0).then_some(Blend { color, alpha }),
            constant,
            cull: [Cull::Nothing, Cull::Counterclockwise, Cull::Clockwise][random.below(3)],
            is_front_clockwise: random.below(2) != 0,
        }
    }

    /// Whether triangles of a winding are not drawn.
    pub(super) fn culls(&self, is_counterclockwise: bool) -> bool {
        match self.cull {
            Cull::Nothing => false,
            Cull::Counterclockwise => is_counterclockwise,
            Cull::Clockwise => !is_counterclockwise,
        }
    }

    /// The state for the rasteriser.
    pub(super) fn render(&self) -> Render {
        Render {
            cull: self.cull,
            depth: self.depth,
            cleared_depth: self.cleared,
            blend: self.blend,
            constant: self.constant,
            ..Render::default()
        }
    }

    /// The constant colour for a device: in all components the alpha if a factor is that of red, green and blue.
    fn constant_of_device(&self) -> [f32; 4] {
        match self.blend.map(|blend| constants(&blend.color)) {
            Some([_, true]) => [self.constant[3]; 4],
            _ => self.constant,
        }
    }

    /// The state for a device.
    pub(super) fn device(&self) -> Device {
        let (compare, writes) =
            self.depth.map_or((CompareFunction::Always, false), |test| (compare(test.compare), test.writes));
        let is_counterclockwise_front = !self.is_front_clockwise;
        let side = |is_counterclockwise: bool| match is_counterclockwise == is_counterclockwise_front {
            true => Face::Front,
            false => Face::Back,
        };
        Device {
            compare,
            writes,
            cleared: self.cleared,
            blend: self
                .blend
                .map(|blend| BlendState { color: equation(blend.color), alpha: equation(blend.alpha) }),
            constant: self.constant_of_device(),
            front: if self.is_front_clockwise { FrontFace::Cw } else { FrontFace::Ccw },
            cull: match self.cull {
                Cull::Nothing => None,
                Cull::Counterclockwise => Some(side(true)),
                Cull::Clockwise => Some(side(false)),
            },
        }
    }
}

fn compare(compare: Compare) -> CompareFunction {
    match compare {
        Compare::Never => CompareFunction::Never,
        Compare::Less => CompareFunction::Less,
        Compare::Equal => CompareFunction::Equal,
        Compare::LessEqual => CompareFunction::LessEqual,
        Compare::Greater => CompareFunction::Greater,
        Compare::NotEqual => CompareFunction::NotEqual,
        Compare::GreaterEqual => CompareFunction::GreaterEqual,
        Compare::Always => CompareFunction::Always,
    }
}

/// An equation for a device. The smaller and the larger colour have no factors, which wgpu writes as 1.
fn equation(equation: Equation) -> BlendComponent {
    let (operation, has_factors) = match equation.combination {
        Combination::Add => (BlendOperation::Add, true),
        Combination::Subtract => (BlendOperation::Subtract, true),
        Combination::ReverseSubtract => (BlendOperation::ReverseSubtract, true),
        Combination::Min => (BlendOperation::Min, false),
        Combination::Max => (BlendOperation::Max, false),
    };
    let of = |own: Factor| if has_factors { factor(own) } else { BlendFactor::One };
    BlendComponent { src_factor: of(equation.source), dst_factor: of(equation.destination), operation }
}

/// A factor for a device. wgpu has no factor for the alpha of the constant; [`State::constant_of_device`] has it in all
/// components.
fn factor(factor: Factor) -> BlendFactor {
    match factor {
        Factor::Zero => BlendFactor::Zero,
        Factor::One => BlendFactor::One,
        Factor::Source => BlendFactor::Src,
        Factor::OneMinusSource => BlendFactor::OneMinusSrc,
        Factor::Destination => BlendFactor::Dst,
        Factor::OneMinusDestination => BlendFactor::OneMinusDst,
        Factor::SourceAlpha => BlendFactor::SrcAlpha,
        Factor::OneMinusSourceAlpha => BlendFactor::OneMinusSrcAlpha,
        Factor::DestinationAlpha => BlendFactor::DstAlpha,
        Factor::OneMinusDestinationAlpha => BlendFactor::OneMinusDstAlpha,
        Factor::Constant | Factor::ConstantAlpha => BlendFactor::Constant,
        Factor::OneMinusConstant | Factor::OneMinusConstantAlpha => BlendFactor::OneMinusConstant,
        Factor::SourceAlphaSaturate => BlendFactor::SrcAlphaSaturated,
    }
}

/// Whether an equation has a factor with the constant colour, and one with its alpha.
fn constants(equation: &Equation) -> [bool; 2] {
    let has = |one: Factor, other: Factor| {
        [equation.source, equation.destination].iter().any(|own| *own == one || *own == other)
    };
    [
        has(Factor::Constant, Factor::OneMinusConstant),
        has(Factor::ConstantAlpha, Factor::OneMinusConstantAlpha),
    ]
}

#[cfg(test)]
mod tests {
    use super::super::{PLAIN, SCENES};
    use super::{COMPARISONS, State};
    use shisa::data::pictures::Cull;
    use shisa::eval::draw::{Combination, Equation, Factor};

    /// Whether each item has one of the states.
    fn all<T: Copy>(
        items: impl IntoIterator<Item = T>,
        states: &[State],
        has: impl Fn(&State, T) -> bool,
    ) -> bool {
        items.into_iter().all(|item| states.iter().any(|state| has(state, item)))
    }

    #[test]
    fn scenes_have_all_states() {
        let states: Vec<State> = (0..(SCENES - PLAIN) as usize).map(State::new).collect();
        for writes in [false, true] {
            assert!(all(COMPARISONS, &states, |state, compare| {
                state.depth.is_some_and(|test| (test.compare, test.writes) == (compare, writes))
            }));
        }
        let uses = |state: &State, of: &dyn Fn(&Equation) -> bool| {
            [
                state.blend.is_some_and(|blend| of(&blend.color)),
                state.blend.is_some_and(|blend| of(&blend.alpha)),
            ]
        };
        for part in [0, 1] {
            let combinations = Combination::ALL.map(|(_, own)| own);
            assert!(all(combinations, &states, |s, own| uses(s, &|e| e.combination == own)[part]));
            let factors = Factor::ALL.map(|(_, own)| own);
            let counts = |e: &Equation| !matches!(e.combination, Combination::Min | Combination::Max);
            assert!(all(factors, &states, |s, own| uses(s, &|e| counts(e) && e.source == own)[part]));
            assert!(all(factors, &states, |s, own| uses(s, &|e| counts(e) && e.destination == own)[part]));
        }
        for front in [false, true] {
            let orders = [Cull::Nothing, Cull::Counterclockwise, Cull::Clockwise];
            assert!(all(orders, &states, |s, own| (s.cull, s.is_front_clockwise) == (own, front)));
        }
        assert!(
            states.iter().any(|state| state.depth.is_none())
                && states.iter().any(|state| state.blend.is_none())
        );
    }
}
