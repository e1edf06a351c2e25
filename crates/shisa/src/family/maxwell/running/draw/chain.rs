//! Runs the programs of a draw call, one after the other.

use super::super::super::stages::GraphicsProgram;
use super::super::keys::KEYS;
use super::super::stage_json::Input;
use super::assembled::{Assembled, outputs};
use super::order::Order;
use super::patches::{Divided, Patch};
use super::picture;
use super::state::Draw;
use crate::run::{StageSteps, TraceSink, set_executed, wrong};
use crate::{Result, Settings};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use shisa_diag::Diagnostic;
use shisa_maxwell::ShaderStage;
use std::any::Any;

/// Whether an input is one of a draw call.
pub(in super::super) fn is_draw(json: &Value) -> bool {
    json.get("draw").is_some()
}

/// Runs programs of graphics stages on the input of a draw call as JSON, and fills in the results.
///
/// # Errors
/// `program-isa` for a program of no graphics stage; `run-input` for an input that does not fit, and for stages that do not
/// follow each other; what the lift and the evaluator refuse.
pub(in super::super::super) fn run_stages(
    programs: &[&dyn Any],
    input: &str,
    trace: &mut dyn TraceSink,
    settings: &Settings,
) -> Result<Value> {
    KEYS.check(input)?;
    let mut filled: Value = serde_json::from_str(input).map_err(|e| wrong(e.to_string()))?;
    if !is_draw(&filled) {
        return Err(wrong("programs of several stages run for a draw call, and the input has no \"draw\""));
    }
    let all: Option<Vec<&GraphicsProgram>> = programs.iter().map(|program| program.downcast_ref()).collect();
    let all = all.ok_or_else(|| {
        Diagnostic::internal("internal-stages", "a program of a draw call is not one of a graphics stage")
    })?;
    run(&all, &mut filled, trace, settings)?;
    Ok(filled)
}

/// Runs programs for the draw call of an input, and fills in the results.
///
/// # Errors
/// Those of [`run_stages`].
pub(in super::super) fn run(
    programs: &[&GraphicsProgram],
    filled: &mut Value,
    trace: &mut dyn TraceSink,
    settings: &Settings,
) -> Result<()> {
    let order = Order::of(programs)?;
    let draw = Draw::read(&filled["draw"], &order)?;
    let mut stages = match filled.get("stages") {
        Some(Value::Object(stages)) => stages.clone(),
        Some(_) => return Err(wrong("\"stages\" is an object with the inputs of stages by name")),
        None => Map::new(),
    };
    let names = || order.programs().iter().map(|program| program.drawing.stage.name());
    if let Some(name) = stages.keys().find(|name| !names().any(|of_program| of_program == **name)) {
        let name = shisa_diag::escape(name);
        return Err(wrong(format!("\"stages\" has an input for {name}, and no program is of this stage")));
    }
    let mut chain = Chain { draw: &draw, order: &order, settings, between: Between::Nothing };
    let mut executed = 0;
    for program in order.programs() {
        let stage = program.drawing.stage;
        let record = stages.entry(stage.name()).or_insert_with(|| json!({}));
        let Value::Object(own) = record else {
            return Err(wrong(format!("the input of the stage {} is not an object", stage.name())));
        };
        if let Some((key, inputs)) = chain.inputs(program)? {
            own.insert(key.into(), inputs);
        }
        let input = Input::deserialize(&*record).map_err(|e| wrong(e.to_string()))?;
        input.filled(record, program, &mut StageSteps::new(stage.name(), trace), settings)?;
        executed += record["executed"].as_u64().unwrap_or(0);
        chain.take(stage, record)?;
    }
    if let Some(filled) = filled.as_object_mut() {
        if let Between::Pixels(drawn) = chain.between {
            filled.insert("drawn".into(), drawn);
        }
        filled.insert("stages".into(), Value::Object(stages));
        set_executed(filled, executed);
    }
    Ok(())
}

/// What the program before has output.
enum Between {
    Nothing,
    Primitives(Assembled),
    /// Patches that are to be divided.
    Patches(Vec<Patch>),
    Divided(Divided),
    /// The picture.
    Pixels(Value),
}

/// A draw call between two programs.
struct Chain<'c> {
    draw: &'c Draw,
    order: &'c Order<'c>,
    settings: &'c Settings,
    between: Between,
}

impl Chain<'_> {
    /// The inputs of the next program, and their key; `None` for a vertex program whose inputs the caller has.
    fn inputs(&mut self, program: &GraphicsProgram) -> Result<Option<(&'static str, Value)>> {
        let stage = program.drawing.stage;
        if stage == ShaderStage::Vertex {
            return Ok(self.draw.source.inputs(self.settings)?.map(|inputs| ("vertices", inputs)));
        }
        if stage == ShaderStage::TessellationEvaluation {
            let patches = match std::mem::replace(&mut self.between, Between::Nothing) {
                Between::Patches(patches) => patches,
                Between::Primitives(all) => self.draw.patches.uncontrolled(&all),
                _ => Vec::new(),
            };
            let divided = self.draw.patches.divided(patches, self.order, self.settings)?;
            let inputs = divided.inputs();
            self.between = Between::Divided(divided);
            return Ok(Some(("patches", inputs)));
        }
        let Between::Primitives(all) = &self.between else { return Ok(None) };
        Ok(Some(match stage {
            ShaderStage::TessellationControl => ("patches", all.inputs()),
            ShaderStage::Geometry => ("primitives", all.inputs()),
            _ => {
                let header = program.drawing.header.as_ref();
                ("pixels", self.draw.rasteriser.pixels(all, header, self.settings)?)
            }
        }))
    }

    /// Takes what a program of a stage output.
    fn take(&mut self, stage: ShaderStage, record: &Value) -> Result<()> {
        self.between = match (stage, &self.between) {
            (ShaderStage::Vertex, _) => {
                let vertices = Assembled { vertices: outputs(&record["vertices"])?, ..Assembled::default() };
                let geometry = self.order.has(ShaderStage::Geometry);
                Between::Primitives(self.draw.assembled(vertices, geometry)?)
            }
            (ShaderStage::TessellationControl, Between::Primitives(before)) => {
                Between::Patches(Patch::controlled(&record["patches"], before)?)
            }
            (ShaderStage::TessellationEvaluation, Between::Divided(divided)) => {
                Between::Primitives(divided.evaluated(&record["patches"])?)
            }
            (ShaderStage::Geometry, _) => {
                let provoking = self.draw.rasteriser.provoking();
                Between::Primitives(Assembled::emitted(&record["primitives"], provoking)?)
            }
            _ => {
                let Draw { rasteriser, merging, .. } = self.draw;
                Between::Pixels(picture::drawn(&record["pixels"], rasteriser.size(), merging))
            }
        };
        Ok(())
    }
}
