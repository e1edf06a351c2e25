//! The picture of a draw call: the outputs of a fragment program after the tests of pixels, blending and masks.

use super::merging::{Merging, Target};
use serde_json::{Map, Value};
use shisa_eval::draw::Stored;
use std::collections::BTreeMap;

/// The words of a pixel of a target, or of a colour.
type Words = [u32; 4];

/// The components that a program does not output: alpha is 1.
const MISSING: Words = [0, 0, 0, 1f32.to_bits()];

/// A target with the pixels that something was drawn to.
struct Drawn {
    /// How many components are written down.
    components: usize,
    pixels: Vec<Option<Words>>,
}

/// A picture that is being drawn.
struct Picture<'m> {
    merging: &'m Merging,
    width: usize,
    stored: Vec<Stored>,
    targets: BTreeMap<usize, Drawn>,
}

/// The picture of rectangles that a fragment program ran for, of a width and a height: by target the words of each pixel,
/// `-` where nothing was drawn, and what the tests of pixels stored.
pub(super) fn drawn(rectangles: &Value, [width, height]: [usize; 2], merging: &Merging) -> Value {
    let cleared = |(number, color): (usize, [f32; 4])| {
        let pixels = vec![Some(color.map(f32::to_bits)); width * height];
        (number, Drawn { components: 4, pixels })
    };
    let mut picture = Picture {
        merging,
        width,
        stored: vec![merging.cleared; width * height],
        targets: merging.clears().map(cleared).collect(),
    };
    for rectangle in rectangles.as_array().into_iter().flatten() {
        picture.rectangle(rectangle);
    }
    let mut all = Map::from_iter([("width".into(), width.into()), ("height".into(), height.into())]);
    for (number, target) in &picture.targets {
        let text = |pixel: &Option<Words>| match pixel {
            Some(words) => {
                let words = words.iter().take(target.components).map(|word| format!("{word:08x}"));
                Value::from(words.collect::<Vec<_>>().join(" "))
            }
            None => "-".into(),
        };
        all.insert(format!("target{number}"), target.pixels.iter().map(text).collect());
    }
    if merging.tests.depth.is_some() {
        let depth = |stored: &Stored| Value::from(format!("{:08x}", stored.depth.to_bits()));
        all.insert("depth".into(), picture.stored.iter().map(depth).collect());
    }
    if merging.tests.stencil.is_some() {
        all.insert(
            "stencil".into(),
            picture.stored.iter().map(|stored| Value::from(stored.stencil)).collect(),
        );
    }
    Value::Object(all)
}

/// The words of a text.
fn words(text: &Value) -> Vec<u32> {
    let words = text.as_str().into_iter().flat_map(|text| text.split(' '));
    words.filter_map(|word| u32::from_str_radix(word, 16).ok()).collect()
}

impl Picture<'_> {
    fn rectangle(&mut self, rectangle: &Value) {
        let number = |key: &str| rectangle[key].as_u64().unwrap_or(0) as usize;
        let (x, y, width) = (number("x"), number("y"), number("width").max(1));
        let is = |key: &str, pixel: usize| rectangle[key][pixel] == Value::Bool(true);
        let (out, each) = (&rectangle["out"], &rectangle["each"]);
        let front = rectangle["in"]["front_facing"] == Value::Bool(true);
        let pixels = rectangle["covered"].as_array().map_or(0, Vec::len);
        for pixel in (0..pixels).filter(|pixel| is("covered", *pixel) && !is("killed", *pixel)) {
            let at = (y + pixel / width) * self.width + x + pixel % width;
            // The only sample of a pixel.
            if words(&out["sample_mask"][pixel]).first().is_some_and(|mask| mask & 1 == 0) {
                continue;
            }
            let own = words(&out["depth"][pixel]).first().copied();
            let depth = own.or_else(|| words(&each["position"][pixel]).get(2).copied());
            let Some((stored, depth)) = self.stored.get_mut(at).zip(depth.map(f32::from_bits)) else {
                continue;
            };
            if !self.merging.tests.pass(front, depth.clamp(0.0, 1.0), stored) {
                continue;
            }
            for (name, values) in out.as_object().into_iter().flatten() {
                let number = name.strip_prefix("target").and_then(|number| number.parse().ok());
                if let Some(number) = number {
                    self.draw(number, at, &words(&values[pixel]));
                }
            }
        }
    }

    /// Draws a colour to a pixel of a target.
    fn draw(&mut self, number: usize, at: usize, color: &[u32]) {
        let Some(target) = self.merging.target(number) else { return };
        let drawn = self.targets.entry(number).or_insert_with(|| Drawn {
            components: if target.is_replaced() { color.len() } else { 4 },
            pixels: vec![None; self.stored.len()],
        });
        let Some(pixel) = drawn.pixels.get_mut(at) else { return };
        let mut source = MISSING;
        source.iter_mut().zip(color).for_each(|(word, given)| *word = *given);
        *pixel = Some(merged(&target, source, pixel.unwrap_or([0; 4]), self.merging.constant));
    }
}

/// The words of a pixel of a target after a program has output a colour.
fn merged(target: &Target, source: Words, before: Words, constant: [f32; 4]) -> Words {
    let color = match target.blend {
        Some(blend) => {
            let [source, destination] = [source, before].map(|words| words.map(f32::from_bits));
            blend.blended(source, destination, constant).map(f32::to_bits)
        }
        None => source,
    };
    [0, 1, 2, 3].map(|component| if target.mask[component] { color[component] } else { before[component] })
}
