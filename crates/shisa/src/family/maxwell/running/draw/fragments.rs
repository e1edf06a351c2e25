//! The pixels of primitives as inputs of a fragment program.

use super::super::emitting::Components;
use super::super::values::Names;
use super::assembled::{bits, float};
use serde_json::{Map, Value, json};
use shisa_eval::draw::{Fragment, Fragments};
use shisa_maxwell::COMPONENTS;
use shisa_maxwell::component::{POINT_COORDINATE, POSITION, PRIMITIVE, VIEWPORT};
use shisa_maxwell::container::Sph;
use shisa_maxwell::container::sph::Interpolation;

/// The input of a fragment program for the pixels of a primitive: `provoking` is the vertex whose values are constant.
pub(super) fn rectangle(
    fragments: &Fragments,
    corners: &[&Components],
    provoking: Option<&Components>,
    number: u32,
    front: bool,
    header: Option<&Sph>,
) -> Value {
    let names = Names::vertex();
    let given = |component: u16| provoking.map_or(0, |vertex| bits(vertex, component));
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
                (PRIMITIVE, ..) => {
                    provoking.and_then(|vertex| vertex.get(&PRIMITIVE)).copied().unwrap_or(number)
                }
                (PRIMITIVE..=VIEWPORT, ..) | (_, Some(Interpolation::Constant), _) => given(*component),
                (POINT_COORDINATE, _, Some([x, _])) => x.to_bits(),
                (n, _, Some([_, y])) if n == POINT_COORDINATE + 1 => y.to_bits(),
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
            if let Value::Array(all) = each.entry(name).or_insert_with(|| json!([])) {
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
