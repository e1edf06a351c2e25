//! Formats of the colours that programs draw to.

use super::color::Color;
use super::format::Format;
use super::layout::{Layout, Number};

/// A format of floats or of normalised numbers, to which programs draw colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TargetFormat(Layout);

impl TargetFormat {
    /// The target of a format; `None` for integers, blocks, and 16 bits for all components.
    pub fn new(format: Format) -> Option<TargetFormat> {
        format.written().filter(|layout| !layout.is_integer()).map(TargetFormat)
    }

    /// The formats that have a target.
    pub fn formats() -> impl Iterator<Item = Format> {
        Format::ALL.iter().copied().filter(|format| TargetFormat::new(*format).is_some())
    }

    /// A colour before it is blended with one of the target: within the range of normalised numbers, as Vulkan and Direct3D
    /// define it. A NaN becomes 0 there.
    pub fn clamped(self, color: Color) -> Color {
        let least = match self.0.number {
            Number::Unsigned => 0.0,
            Number::Signed => -1.0,
            _ => return color,
        };
        color.map(|value: f32| if value.is_nan() { 0.0 } else { value.clamp(least, 1.0) })
    }

    /// What the target holds after a colour is written to it. Components that the format lacks are 0, and alpha is 1.
    pub fn stored(self, color: Color) -> Color {
        self.0.stored(color, false)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn target(name: &str) -> TargetFormat {
        Format::from_name(name).and_then(TargetFormat::new).unwrap_or_else(|| panic!("{name}"))
    }

    #[test]
    fn colours_become_those_of_the_format() {
        let color = [0.3, -0.3, 1.7, 0.5];
        let bytes = |n: [f32; 4]| n.map(|n| n / 255.0);
        for (name, expected) in [
            ("rgba8", bytes([77.0, 0.0, 255.0, 128.0])),
            ("bgra8", bytes([77.0, 0.0, 255.0, 128.0])),
            ("r8", bytes([77.0, 0.0, 0.0, 255.0])),
            ("rg8_snorm", [38.0 / 127.0, -38.0 / 127.0, 0.0, 1.0]),
            ("rgba16f", [0.300_048_83, -0.300_048_83, 1.700_195_3, 0.5]),
            ("rgba32f", color),
        ] {
            assert_eq!(target(name).stored(color), expected, "{name}");
        }
        assert_eq!(target("rgba8").clamped(color), [0.3, 0.0, 1.0, 0.5]);
        assert_eq!(target("rgba16_snorm").clamped([f32::NAN, -2.0, 2.0, -0.5]), [0.0, -1.0, 1.0, -0.5]);
        assert_eq!(target("rgba16f").clamped(color), color);
    }

    #[test]
    fn formats_without_a_target_have_none() {
        let without = Format::ALL.iter().filter(|format| TargetFormat::new(**format).is_none());
        let names: Vec<&str> = without.map(|format| format.name()).collect();
        let others = ["bgr565", "bgra4444", "dxt1", "dxt5"];
        assert!(names.iter().all(|name| name.ends_with(['i']) || others.contains(name)), "{names:?}");
        assert_eq!(TargetFormat::formats().count() + names.len(), Format::ALL.len());
    }
}
