//! Geometry and tessellation evaluation shaders of uam as kernels: the vertices of each stream, and the points of patches.

use super::graphics::{NUDGE, Trial, close, hexadecimal, parsed, part};
use crate::execute::Counts;
use crate::execute::drawn::Fault;
use serde_json::{Value, json};
use shisa::ir::{Binding, Io, Strips, Topology};
use shisa_translate::execute::Register;

/// Primitives or patches that run: more lanes than a warp has.
const COUNT: u32 = 40;

/// The name that the evaluator has for an input of a vertex.
fn name(io: &Io) -> &str {
    io.name.strip_prefix("vertex_").unwrap_or(&io.name)
}

fn missing(what: &str) -> Fault {
    Fault::Device(format!("the program has no {what}"))
}

/// An attribute with its name and its words.
fn named<'a>(all: impl Iterator<Item = (&'a Io, Register)>) -> Value {
    let words = |(io, register): (&Io, Register)| {
        (name(io).to_owned(), Value::from(hexadecimal(&register[..usize::from(io.count)])))
    };
    Value::Object(all.map(words).collect())
}

impl Trial<'_> {
    /// An input of a vertex of a primitive.
    fn corner(&self, io: &Io, (primitive, vertex): (u32, u32), factor: f32) -> Register {
        let seed = primitive * 4096 + vertex * 512 + 8 * u32::from(io.reg.unit);
        std::array::from_fn(|c| match c < usize::from(io.count) {
            true => (2.0 * factor * part(seed + c as u32)).to_bits(),
            false => 0,
        })
    }

    /// The inputs of all vertices of a primitive, in the order of a lane.
    fn corners_of(&self, primitive: u32, vertices: u8, factor: f32) -> Vec<Register> {
        let inputs = &self.lowered.interface.vertex_inputs;
        let vertices = 0..u32::from(vertices);
        vertices.flat_map(|v| inputs.iter().map(move |io| self.corner(io, (primitive, v), factor))).collect()
    }

    fn vertices_as_json(&self, primitive: u32, vertices: u8, factor: f32) -> Value {
        let inputs = &self.lowered.interface.vertex_inputs;
        let vertex = |v| {
            let all = inputs.iter().map(|io| (io, self.corner(io, (primitive, v), factor)));
            json!({ "in": named(all) })
        };
        (0..u32::from(vertices)).map(vertex).collect()
    }

    /// Runs primitives, and compares the vertices and the primitives of each stream.
    pub(super) fn primitives(&self) -> Result<Counts, Fault> {
        let interface = &self.lowered.interface;
        let geometry = interface.geometry.ok_or_else(|| missing("geometry"))?;
        let strips = geometry.strips.ok_or_else(|| missing("strips"))?;
        let runs = u32::from(strips.invocations.max(1));
        let input = |io: &Io, primitive: u32, run: u32| match io.binding {
            Binding::PrimitiveIndex => primitive,
            Binding::InvocationIndex => run,
            _ => 0,
        };
        let lane = |(primitive, run): (u32, u32)| {
            let mut all: Vec<Register> =
                interface.inputs.iter().map(|io| [input(io, primitive, run), 0, 0, 0]).collect();
            all.extend(self.corners_of(primitive, geometry.vertices, 1.0));
            all
        };
        let places = (0..COUNT).flat_map(|primitive| (0..runs).map(move |run| (primitive, run)));
        let lanes: Vec<Vec<Register>> = places.clone().map(lane).collect();
        let given = |factor: f32| -> Value {
            let one = |p| json!({ "vertices": self.vertices_as_json(p, geometry.vertices, factor) });
            (0..COUNT).map(one).collect()
        };
        let [want, more, less] =
            [1.0, 1.0 + NUDGE, 1.0 - NUDGE].map(|factor| self.run("primitives", given(factor)));
        let (want, near) = (want?, [more?, less?]);
        let got = self.device.primitives(self.output, self.world.on_device(), &lanes)?;
        let mut counts = Counts::default();
        for ((primitive, run), lane) in places.zip(&got) {
            let streams = |run_of: &Value| run_of[primitive as usize]["out"][run as usize]["streams"].clone();
            let (want, near) = (streams(&want), near.each_ref().map(streams));
            for stream in (0..4).filter(|n| strips.streams >> n & 1 != 0) {
                let of = |run: &Value| run[stream.to_string()].clone();
                let (want, near) = (of(&want), near.each_ref().map(of));
                let vertices = |run: &Value| run["vertices"].as_array().cloned().unwrap_or_default();
                let all = vertices(&want);
                // Where values jump, a program may take another path.
                if near.iter().any(|run| vertices(run).len() != all.len()) {
                    continue;
                }
                let place =
                    |k: usize| format!("vertex {k} of stream {stream} of primitive {primitive}, run {run}");
                let (mine, formed) = split(lane, stream, strips, interface.outputs.len());
                let expected = want["primitives"].as_array().map_or(0, Vec::len);
                if mine.len() != all.len() || formed != expected {
                    let text = format!(
                        "{}: {} vertices and {expected} primitives, on the device {} and {formed}",
                        place(0),
                        all.len(),
                        mine.len()
                    );
                    return Err(text.into());
                }
                for (k, vertex) in mine.iter().enumerate() {
                    for (io, got) in interface.outputs.iter().zip(vertex.iter()) {
                        let words = |all: &[Value]| all[k][name(io)].as_str().map(parsed).unwrap_or_default();
                        let (want, near) = (words(&all), near.each_ref().map(|run| words(&vertices(run))));
                        for c in io.used.iter().map(usize::from) {
                            let at = |words: &Vec<u32>| words.get(c).copied().unwrap_or(0);
                            let place = || format!("{}.{c} of {}", io.name, place(k));
                            close(place, at(&want), &near.each_ref().map(at), got[c], &mut counts)?;
                        }
                    }
                }
            }
        }
        Ok(counts)
    }

    /// Runs points of patches.
    pub(super) fn points(&self) -> Result<Counts, Fault> {
        let interface = &self.lowered.interface;
        let vertices = interface.tessellation.ok_or_else(|| missing("tessellation"))?.vertices;
        let place = |patch: u32| [0, 1].map(|c| (0.5 + 0.5 * part(patch * 2 + c + 900_000)) / 2.0);
        let of_patch = |io: &Io, patch: u32, factor: f32| -> Register {
            let seed = patch * 64 + 8 * u32::from(io.reg.unit) + 500_000;
            std::array::from_fn(|c| match (io.binding, c < usize::from(io.count)) {
                (Binding::PrimitiveIndex, true) => patch,
                (Binding::PatchVertices, true) => u32::from(vertices),
                (Binding::DomainPosition, true) => place(patch)[c].to_bits(),
                (_, true) => (2.0 * factor * part(seed + c as u32)).to_bits(),
                _ => 0,
            })
        };
        let lane = |patch: u32| {
            let mut all: Vec<Register> = interface.inputs.iter().map(|io| of_patch(io, patch, 1.0)).collect();
            all.extend(self.corners_of(patch, vertices, 1.0));
            all
        };
        let lanes: Vec<Vec<Register>> = (0..COUNT).map(lane).collect();
        let belongs = |io: &&Io| {
            matches!(io.binding, Binding::PatchLocation(_) | Binding::OuterLevel | Binding::InnerLevel)
        };
        let given = |factor: f32| -> Value {
            let one = |patch: u32| {
                let own = interface.inputs.iter().filter(belongs).map(|io| (io, of_patch(io, patch, factor)));
                json!({
                    "vertices": self.vertices_as_json(patch, vertices, factor),
                    "patch": named(own),
                    "points": [place(patch)],
                })
            };
            (0..COUNT).map(one).collect()
        };
        let [want, more, less] =
            [1.0, 1.0 + NUDGE, 1.0 - NUDGE].map(|factor| self.run("patches", given(factor)));
        let (want, near) = (want?, [more?, less?]);
        let got = self.device.lanes(self.output, self.world.on_device(), &lanes)?;
        let mut counts = Counts::default();
        for (i, lane) in got.iter().enumerate() {
            for (io, got) in interface.outputs.iter().zip(&lane.outputs) {
                let words = |run: &Value| run[i]["out"][0][name(io)].as_str().map(parsed).unwrap_or_default();
                let (want, near) = (words(&want), near.each_ref().map(words));
                for c in io.used.iter().map(usize::from) {
                    let at = |words: &Vec<u32>| words.get(c).copied().unwrap_or(0);
                    let place = || format!("{}.{c} of the point of patch {i}", io.name);
                    close(place, at(&want), &near.each_ref().map(at), got[c], &mut counts)?;
                }
            }
        }
        Ok(counts)
    }
}

/// The vertices of a stream, and how many primitives they form.
fn split(lane: &[Vec<Register>], stream: u32, strips: Strips, outputs: usize) -> (Vec<&[Register]>, usize) {
    let size = match strips.topology {
        Topology::Points => 1,
        Topology::Lines => 2,
        Topology::Triangles => 3,
    };
    let (mut mine, mut lengths, mut last) = (Vec::new(), Vec::new(), None);
    for vertex in lane {
        let [of, ended, ..] = vertex.get(outputs).copied().unwrap_or_default();
        if of == stream {
            if ended != 0 || last != Some(of) || lengths.is_empty() {
                lengths.push(0usize);
            }
            if let Some(length) = lengths.last_mut() {
                *length += 1;
            }
            mine.push(&vertex[..outputs]);
        }
        last = Some(of);
    }
    (mine, lengths.into_iter().map(|length| (length + 1).saturating_sub(size)).sum())
}
