//! Patches between the programs of a draw call: from the vertices or a control program to an evaluation program.

use super::super::choices::named;
use super::super::emitting::Components;
use super::super::values::Names;
use super::assembled::{Assembled, Primitive, components, float, numbered, of, vertices};
use super::order::Order;
use crate::run::wrong;
use crate::{Result, Settings};
use serde::Deserialize;
use serde_json::{Value, json};
use shisa_diag::Limit;
use shisa_eval::draw::{Levels, Tessellated};
use shisa_ir::{Division, DivisionOutput, Domain, Spacing};
use shisa_maxwell::{MOST_VERTICES, ShaderStage};

/// The topology of patches.
pub(super) const PATCHES: &str = "patches";

/// How patches are formed and divided.
#[derive(Deserialize)]
pub(super) struct Patches {
    /// How many vertices each has.
    #[serde(default = "default_size")]
    patch: usize,
    /// The levels of patches without a control program.
    #[serde(default)]
    levels: DefaultLevels,
    #[serde(default)]
    division: Keys,
}

/// The number of vertices of a patch in OpenGL, until a program sets another one.
fn default_size() -> usize {
    3
}

#[derive(Deserialize)]
struct DefaultLevels {
    #[serde(default = "undivided")]
    outer: [f32; 4],
    #[serde(default = "undivided")]
    inner: [f32; 2],
}

impl Default for DefaultLevels {
    fn default() -> DefaultLevels {
        DefaultLevels { outer: undivided(), inner: undivided() }
    }
}

fn undivided<const N: usize>() -> [f32; N] {
    [1.0; N]
}

/// The parts of a division that are stated.
#[derive(Default, Deserialize)]
struct Keys {
    domain: Option<String>,
    spacing: Option<String>,
    output: Option<String>,
}

impl Keys {
    /// The division with the stated parts in place of its own.
    fn over(&self, mut division: Division) -> Result<Division> {
        if let Some(name) = &self.domain {
            division.domain = named(&Domain::ALL.map(|value| (value.name(), value)), name, "domain")?;
        }
        if let Some(name) = &self.spacing {
            division.spacing = named(&Spacing::ALL.map(|value| (value.name(), value)), name, "spacing")?;
        }
        if let Some(name) = &self.output {
            division.output =
                named(&DivisionOutput::ALL.map(|value| (value.name(), value)), name, "output of a division")?;
        }
        Ok(division)
    }
}

impl Patches {
    /// How many vertices each has.
    ///
    /// # Errors
    /// `run-input` for none and for too many.
    pub(super) fn vertices(&self) -> Result<usize> {
        match self.patch {
            size if (1..=MOST_VERTICES.into()).contains(&size) => Ok(size),
            size => Err(wrong(format!("patches have {size} vertices; a patch has 1 to {MOST_VERTICES}"))),
        }
    }

    /// The patches of vertices that no control program runs for.
    pub(super) fn uncontrolled(&self, all: &Assembled) -> Vec<Patch> {
        let DefaultLevels { outer, inner } = self.levels;
        let levels = outer.iter().chain(&inner);
        let own: Components = (0..).zip(levels.map(|level| level.to_bits())).collect();
        let patch = |primitive: &Primitive| Patch {
            vertices: all.corners(primitive).into_iter().cloned().collect(),
            own: own.clone(),
            number: primitive.number,
        };
        all.primitives.iter().map(patch).collect()
    }

    /// Divides patches for a program: what the input states is before what the program's file states.
    ///
    /// # Errors
    /// `run-input` for a division that does not exist; `limit-exceeded`.
    pub(super) fn divided(
        &self,
        patches: Vec<Patch>,
        programs: &Order<'_>,
        settings: &Settings,
    ) -> Result<Divided> {
        let evaluation = programs.program(ShaderStage::TessellationEvaluation);
        let stated = evaluation.and_then(|program| program.division);
        let division = self.division.over(stated.unwrap_or_default())?;
        let mut divided = Divided { patches, parts: Vec::new() };
        let mut bytes = 0usize;
        for patch in &divided.patches {
            let part = patch.levels().tessellated(division).ok_or_else(|| {
                let domain = division.domain.name();
                wrong(format!("patches of the domain {domain} do not form lines"))
            })?;
            // Each point runs with all vertices of the patch.
            let each = 64 + 64 * patch.vertices.iter().map(|vertex| vertex.len() + 1).sum::<usize>();
            bytes = bytes.saturating_add(part.points.len().saturating_mul(each));
            settings.limits.check(Limit::Memory, "bytes of points of patches", bytes)?;
            divided.parts.push(part);
        }
        Ok(divided)
    }
}

/// A patch that is to be divided.
pub(super) struct Patch {
    vertices: Vec<Components>,
    /// What belongs to the patch as a whole.
    own: Components,
    number: u32,
}

impl Patch {
    /// The patches that a control program output for those before.
    pub(super) fn controlled(patches: &Value, before: &Assembled) -> Result<Vec<Patch>> {
        let patch = |(patch, primitive): (&Value, &Primitive)| {
            let out = &patch["out"];
            let vertices = out["vertices"].as_array().into_iter().flatten().map(components);
            Ok(Patch {
                vertices: vertices.collect::<Result<_>>()?,
                own: of(&Names::patch(), &out["patch"])?,
                number: primitive.number,
            })
        };
        patches.as_array().into_iter().flatten().zip(&before.primitives).map(patch).collect()
    }

    /// Its levels, which are the first components. What was not written is zero.
    fn levels(&self) -> Levels {
        let level = |component: u16| float(&self.own, component);
        Levels { outer: [0, 1, 2, 3].map(level), inner: [4, 5].map(level) }
    }
}

/// Divided patches.
pub(super) struct Divided {
    patches: Vec<Patch>,
    /// What the tessellator made of each.
    parts: Vec<Tessellated>,
}

impl Divided {
    /// The patches as inputs of an evaluation program.
    pub(super) fn inputs(&self) -> Value {
        let names = Names::patch();
        let each = self.patches.iter().zip(&self.parts).map(|(patch, part)| {
            let input = json!({
                "vertices": vertices(&patch.vertices),
                "patch": names.text(&patch.own),
                "points": part.points,
            });
            (patch.number, input)
        });
        (0..).zip(each).map(|(at, (number, input))| numbered(input, number, at)).collect()
    }

    /// The primitives of the points, as the evaluation program output them.
    pub(super) fn evaluated(&self, patches: &Value) -> Result<Assembled> {
        let mut all = Assembled::default();
        for (patch, part) in patches.as_array().into_iter().flatten().zip(&self.parts) {
            let first = all.vertices.len();
            for point in patch["out"].as_array().into_iter().flatten() {
                all.vertices.push(components(point)?);
            }
            for points in &part.primitives {
                all.push(points.iter().map(|point| first + point).collect());
            }
        }
        Ok(all)
    }
}
