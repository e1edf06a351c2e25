//! The pixels of primitives as inputs of a fragment program, and its outputs as a picture.

use super::super::emitting::Components;
use super::super::values::Names;
use super::assembled::Corners;
use crate::run::wrong;
use crate::{Result, Settings};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use shisa_diag::Limit;
use shisa_eval::draw::{Depth, Fragment, Fragments, Origin, Viewport};
use shisa_maxwell::container::Sph;
use shisa_maxwell::container::sph::Interpolation;
use shisa_maxwell::{COMPONENTS, POSITION};
use std::collections::BTreeMap;

/// The state of the rasteriser.
#[derive(Deserialize)]
pub(super) struct Rasteriser {
    #[serde(default)]
    front: Front,
    viewport: Option<View>,
}

/// The order of corners of triangles whose front is visible, where y points up.
#[derive(Clone, Copy, Default, Deserialize, PartialEq, Eq)]
#[serde(rename_all = "lowercase")]
enum Front {
    #[default]
    Counterclockwise,
    Clockwise,
}

#[derive(Deserialize)]
struct View {
    width: usize,
    height: usize,
    #[serde(default)]
    origin: RowZero,
    #[serde(default)]
    depth: Range,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum RowZero {
    #[default]
    UpperLeft,
    LowerLeft,
}

#[derive(Clone, Copy, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
enum Range {
    #[default]
    ZeroToOne,
    MinusOneToOne,
}

/// Components of a vertex besides its position.
const PRIMITIVE: u16 = 0x60 / 4;
const VIEWPORT: u16 = 0x68 / 4;
const POINT_SIZE: u16 = 0x6c / 4;
const IN_POINT: u16 = 0x2e0 / 4;

impl Rasteriser {
    fn viewport(&self) -> Result<Viewport> {
        let view = self.viewport.as_ref();
        let view = view.ok_or_else(|| wrong("a draw call with a fragment program needs a viewport"))?;
        if view.width == 0 || view.height == 0 {
            return Err(wrong("the viewport has no pixels"));
        }
        let origin = match view.origin {
            RowZero::UpperLeft => Origin::UpperLeft,
            RowZero::LowerLeft => Origin::LowerLeft,
        };
        let depth = match view.depth {
            Range::ZeroToOne => Depth::ZeroToOne,
            Range::MinusOneToOne => Depth::MinusOneToOne,
        };
        Ok(Viewport { width: view.width, height: view.height, origin, depth })
    }

    /// The rectangles of pixels around primitives, in their order.
    ///
    /// # Errors
    /// `run-input` without a viewport, and for primitives that are neither triangles nor points; `limit-exceeded`.
    pub(super) fn pixels(
        &self,
        primitives: &[Corners<'_>],
        header: Option<&Sph>,
        settings: &Settings,
    ) -> Result<Value> {
        let viewport = self.viewport()?;
        let size = viewport.width.saturating_mul(viewport.height);
        let check = |pixels: usize| {
            settings.limits.check(Limit::Memory, "bytes of pixels", pixels.saturating_mul(256))
        };
        check(size)?;
        let (mut count, mut all) = (0usize, Vec::new());
        for (number, corners) in (0..).zip(primitives) {
            let Some(fragments) = rasterised(&viewport, corners)? else { continue };
            count = count.saturating_add(fragments.pixels.len());
            check(count)?;
            if fragments.pixels.iter().all(|pixel| !pixel.covered) {
                continue;
            }
            let front = fragments.counterclockwise == (self.front == Front::Counterclockwise);
            all.push(rectangle(&fragments, corners, number, front, header));
        }
        Ok(Value::Array(all))
    }

    /// The picture of rectangles that a fragment program ran for: by target the latest value of each pixel, `-` where
    /// nothing was drawn.
    pub(super) fn drawn(&self, rectangles: &Value) -> Value {
        let view = self.viewport.as_ref().map_or([0, 0], |view| [view.width, view.height]);
        let mut targets: BTreeMap<&str, Vec<Value>> = BTreeMap::new();
        for rectangle in rectangles.as_array().into_iter().flatten() {
            let number = |key: &str| rectangle[key].as_u64().unwrap_or(0) as usize;
            let (x, y, width) = (number("x"), number("y"), number("width").max(1));
            let is = |key: &str, pixel: usize| rectangle[key][pixel] == Value::Bool(true);
            for (target, values) in rectangle["out"].as_object().into_iter().flatten() {
                let picture = targets.entry(target).or_insert_with(|| vec!["-".into(); view[0] * view[1]]);
                for (pixel, value) in values.as_array().into_iter().flatten().enumerate() {
                    let (column, row) = (x + pixel % width, y + pixel / width);
                    if is("covered", pixel)
                        && !is("killed", pixel)
                        && let Some(slot) = picture.get_mut(row * view[0] + column)
                    {
                        slot.clone_from(value);
                    }
                }
            }
        }
        let mut drawn = Map::from_iter([("width".into(), view[0].into()), ("height".into(), view[1].into())]);
        drawn.extend(targets.into_iter().map(|(target, picture)| (target.into(), picture.into())));
        Value::Object(drawn)
    }
}

/// The pixels around a primitive; `None` if there are none.
fn rasterised(viewport: &Viewport, corners: &Corners<'_>) -> Result<Option<Fragments>> {
    let position = |corner: &Components| [0, 1, 2, 3].map(|n| float(corner, POSITION + n));
    Ok(match corners[..] {
        [a, b, c] => viewport.triangle([a, b, c].map(position)),
        [point] => {
            let size = if point.contains_key(&POINT_SIZE) { float(point, POINT_SIZE) } else { 1.0 };
            viewport.point(position(point), size)
        }
        _ => {
            let text = format!(
                "a primitive of {} vertices is not rasterised: triangles and points are",
                corners.len()
            );
            return Err(wrong(text));
        }
    })
}

/// The bits of a component that the program before did not write.
const UNWRITTEN: u32 = 0;

/// The bits of a component of a vertex.
fn bits(vertex: &Components, component: u16) -> u32 {
    let written = vertex.get(&component).copied();
    written.unwrap_or(UNWRITTEN)
}

fn float(vertex: &Components, component: u16) -> f32 {
    f32::from_bits(bits(vertex, component))
}

/// The input of a fragment program for the pixels of a primitive.
fn rectangle(
    fragments: &Fragments,
    corners: &Corners<'_>,
    number: u32,
    front: bool,
    header: Option<&Sph>,
) -> Value {
    let (names, last) = (Names::vertex(), corners.last().copied());
    let given = |component: u16| last.map_or(0, |last| bits(last, component));
    let read: Vec<(u16, Option<Interpolation>)> = (0..COMPONENTS)
        .filter(|component| !(POSITION..POSITION + 4).contains(component))
        .filter_map(|component| {
            let mapped = header?.input(4 * component)?;
            (mapped.value != 0).then(|| (component, mapped.interpolation()))
        })
        .collect();
    let pixel = |pixel: &Fragment| -> Components {
        let position = (POSITION..).zip(pixel.position.map(f32::to_bits));
        let value = |(component, how): &(u16, Option<Interpolation>)| {
            let [space, screen] = pixel.weights;
            let blend = |weights: [f64; 3]| {
                let parts = corners
                    .iter()
                    .zip(weights)
                    .map(|(corner, weight)| f64::from(float(corner, *component)) * weight);
                (parts.sum::<f64>() as f32).to_bits()
            };
            let bits = match (*component, how, pixel.in_point) {
                (PRIMITIVE, ..) => last.and_then(|last| last.get(&PRIMITIVE)).copied().unwrap_or(number),
                (PRIMITIVE..=VIEWPORT, ..) | (_, Some(Interpolation::Constant), _) => given(*component),
                (IN_POINT, _, Some([x, _])) => x.to_bits(),
                (n, _, Some([_, y])) if n == IN_POINT + 1 => y.to_bits(),
                (_, Some(Interpolation::Linear), _) => blend(screen),
                _ => blend(space),
            };
            (*component, bits)
        };
        position.chain(read.iter().map(value)).collect()
    };
    let mut each: Map<String, Value> = Map::new();
    for own in fragments.pixels.iter().map(pixel) {
        let Value::Object(named) = names.text(&own) else { continue };
        for (name, value) in named {
            if let Some(Value::Array(all)) = Some(each.entry(name).or_insert_with(|| json!([]))) {
                all.push(value);
            }
        }
    }
    each.remove("front_facing");
    json!({
        "x": fragments.x, "y": fragments.y,
        "width": fragments.width, "height": fragments.pixels.len() / fragments.width.max(1),
        "in": { "front_facing": front },
        "each": each,
        "covered": fragments.pixels.iter().map(|pixel| pixel.covered).collect::<Vec<_>>(),
    })
}
