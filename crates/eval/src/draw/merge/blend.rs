//! Blending.

/// What a colour is multiplied with before it is combined with the other one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Factor {
    /// 0.
    Zero,
    /// 1.
    One,
    /// The colour that the program output.
    Source,
    /// 1 minus the colour that the program output.
    OneMinusSource,
    /// The colour of the target.
    Destination,
    /// 1 minus the colour of the target.
    OneMinusDestination,
    /// The alpha that the program output.
    SourceAlpha,
    /// 1 minus the alpha that the program output.
    OneMinusSourceAlpha,
    /// The alpha of the target.
    DestinationAlpha,
    /// 1 minus the alpha of the target.
    OneMinusDestinationAlpha,
    /// The constant colour.
    Constant,
    /// 1 minus the constant colour.
    OneMinusConstant,
    /// The alpha of the constant.
    ConstantAlpha,
    /// 1 minus the alpha of the constant.
    OneMinusConstantAlpha,
    /// The smaller of the alpha that the program output and 1 minus that of the target; 1 for alpha.
    SourceAlphaSaturate,
}

impl Factor {
    /// All factors with their names.
    pub const ALL: [(&'static str, Factor); 15] = [
        ("zero", Factor::Zero),
        ("one", Factor::One),
        ("source", Factor::Source),
        ("one_minus_source", Factor::OneMinusSource),
        ("destination", Factor::Destination),
        ("one_minus_destination", Factor::OneMinusDestination),
        ("source_alpha", Factor::SourceAlpha),
        ("one_minus_source_alpha", Factor::OneMinusSourceAlpha),
        ("destination_alpha", Factor::DestinationAlpha),
        ("one_minus_destination_alpha", Factor::OneMinusDestinationAlpha),
        ("constant", Factor::Constant),
        ("one_minus_constant", Factor::OneMinusConstant),
        ("constant_alpha", Factor::ConstantAlpha),
        ("one_minus_constant_alpha", Factor::OneMinusConstantAlpha),
        ("source_alpha_saturate", Factor::SourceAlphaSaturate),
    ];

    /// Its value for a component.
    fn of(self, component: usize, colors: &Colors) -> f32 {
        let Colors { source, destination, constant } = colors;
        match self {
            Factor::Zero => 0.0,
            Factor::One => 1.0,
            Factor::Source => source[component],
            Factor::OneMinusSource => 1.0 - source[component],
            Factor::Destination => destination[component],
            Factor::OneMinusDestination => 1.0 - destination[component],
            Factor::SourceAlpha => source[ALPHA],
            Factor::OneMinusSourceAlpha => 1.0 - source[ALPHA],
            Factor::DestinationAlpha => destination[ALPHA],
            Factor::OneMinusDestinationAlpha => 1.0 - destination[ALPHA],
            Factor::Constant => constant[component],
            Factor::OneMinusConstant => 1.0 - constant[component],
            Factor::ConstantAlpha => constant[ALPHA],
            Factor::OneMinusConstantAlpha => 1.0 - constant[ALPHA],
            Factor::SourceAlphaSaturate if component == ALPHA => 1.0,
            Factor::SourceAlphaSaturate => source[ALPHA].min(1.0 - destination[ALPHA]),
        }
    }
}

/// How the two colours are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Combination {
    /// The sum of the products with the factors.
    Add,
    /// The product of the program's colour minus that of the target.
    Subtract,
    /// The product of the target's colour minus that of the program.
    ReverseSubtract,
    /// The smaller one, without factors.
    Min,
    /// The larger one, without factors.
    Max,
}

impl Combination {
    /// All combinations with their names.
    pub const ALL: [(&'static str, Combination); 5] = [
        ("add", Combination::Add),
        ("subtract", Combination::Subtract),
        ("reverse_subtract", Combination::ReverseSubtract),
        ("min", Combination::Min),
        ("max", Combination::Max),
    ];
}

/// An equation of some components.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Equation {
    /// The factor of the colour that the program output.
    pub source: Factor,
    /// The factor of the colour of the target.
    pub destination: Factor,
    /// How the products are combined.
    pub combination: Combination,
}

/// How the output of a program is combined with the colour of a target.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Blend {
    /// For red, green and blue.
    pub color: Equation,
    /// For alpha.
    pub alpha: Equation,
}

/// The component with alpha.
const ALPHA: usize = 3;

/// The colours of an equation.
struct Colors {
    source: [f32; 4],
    destination: [f32; 4],
    constant: [f32; 4],
}

impl Blend {
    /// The colour of the target after the program has output a colour, with the constant colour of the draw call.
    pub fn blended(&self, source: [f32; 4], destination: [f32; 4], constant: [f32; 4]) -> [f32; 4] {
        let colors = Colors { source, destination, constant };
        [0, 1, 2, ALPHA].map(|component| {
            let equation = if component == ALPHA { self.alpha } else { self.color };
            let [a, b] = [source[component], destination[component]];
            let product = |color: f32, factor: Factor| color * factor.of(component, &colors);
            let products = || [product(a, equation.source), product(b, equation.destination)];
            match equation.combination {
                Combination::Add => products()[0] + products()[1],
                Combination::Subtract => products()[0] - products()[1],
                Combination::ReverseSubtract => products()[1] - products()[0],
                Combination::Min => a.min(b),
                Combination::Max => a.max(b),
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::{Blend, Combination, Equation, Factor};

    const SOURCE: [f32; 4] = [0.5, 0.25, 1.0, 0.75];
    const DESTINATION: [f32; 4] = [0.125, 1.0, 0.5, 0.5];
    const CONSTANT: [f32; 4] = [0.25, 0.5, 0.75, 0.125];

    fn blended(color: Equation, alpha: Equation) -> [f32; 4] {
        Blend { color, alpha }.blended(SOURCE, DESTINATION, CONSTANT)
    }

    #[test]
    fn each_factor_has_its_value() {
        let values = [
            [0.0; 4],
            [1.0; 4],
            SOURCE,
            SOURCE.map(|n| 1.0 - n),
            DESTINATION,
            DESTINATION.map(|n| 1.0 - n),
            [0.75; 4],
            [0.25; 4],
            [0.5; 4],
            [0.5; 4],
            CONSTANT,
            CONSTANT.map(|n| 1.0 - n),
            [0.125; 4],
            [0.875; 4],
            [0.5, 0.5, 0.5, 1.0],
        ];
        for ((name, factor), value) in Factor::ALL.into_iter().zip(values) {
            let combination = Combination::Add;
            let of_source = Equation { source: factor, destination: Factor::Zero, combination };
            let expected = [0, 1, 2, 3].map(|n| SOURCE[n] * value[n]);
            assert_eq!(blended(of_source, of_source), expected, "{name}");
            let of_target = Equation { source: Factor::Zero, destination: factor, combination };
            let expected = [0, 1, 2, 3].map(|n| DESTINATION[n] * value[n]);
            assert_eq!(blended(of_target, of_target), expected, "{name}");
        }
    }

    #[test]
    fn colors_are_combined() {
        let half =
            |combination| Equation { source: Factor::ConstantAlpha, destination: Factor::One, combination };
        let red = |combination| blended(half(combination), half(combination))[0];
        for ((name, combination), expected) in
            Combination::ALL.into_iter().zip([0.1875, -0.0625, 0.0625, 0.125, 0.5])
        {
            assert_eq!(red(combination), expected, "{name}");
        }
        // Alpha has an equation of its own.
        let mixed = blended(half(Combination::Max), half(Combination::Min));
        assert_eq!(mixed, [0.5, 1.0, 1.0, 0.5]);
    }
}
