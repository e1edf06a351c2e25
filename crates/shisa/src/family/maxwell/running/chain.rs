//! Draw calls: programs of several stages, where the outputs of one are the inputs of the next by their addresses.
//!
//! `stages` of the input has what each program needs besides: its constants and resources, and for the vertex program
//! the vertices. The results of each stage are filled in there. What a stage has then is an input for its program alone.

use super::super::stages::GraphicsProgram;
use super::emitting::Components;
use super::fragments::{Corners, Rasteriser};
use super::keys::KEYS;
use super::stage_json::Input;
use super::values::{Named, Names};
use crate::run::{TraceSink, set_executed, wrong};
use crate::{Program, Result, Settings};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use shisa_eval::draw::Assembly;
use shisa_maxwell::ShaderStage;

/// The state of a draw call.
#[derive(Deserialize)]
struct Draw {
    topology: String,
    indices: Option<Vec<usize>>,
    #[serde(flatten)]
    rasteriser: Rasteriser,
}

/// Vertices, and the primitives that they form.
struct Assembled {
    vertices: Vec<Components>,
    primitives: Vec<Vec<usize>>,
}

/// Whether an input is one of a draw call.
pub(super) fn is_draw(json: &Value) -> bool {
    json.get("draw").is_some()
}

/// Runs the programs of graphics stages on the input of a draw call as JSON, and fills in the results.
///
/// # Errors
/// `program-isa` for a program of another instruction set or of no graphics stage; `run-input` for an input that does not
/// fit, and for stages that do not follow each other; what the lift and the evaluator refuse.
pub fn run_stages(programs: &[Program<'_>], input: &str, trace: &mut dyn TraceSink) -> Result<Value> {
    let input = input.trim_start_matches('\u{feff}');
    KEYS.check(input)?;
    let mut filled: Value = serde_json::from_str(input).map_err(|e| wrong(e.to_string()))?;
    if !is_draw(&filled) {
        return Err(wrong("programs of several stages run for a draw call, and the input has no \"draw\""));
    }
    let Some(first) = programs.first() else { return Err(wrong("there are no programs")) };
    let all = programs.iter().map(|program| program.typed()).collect::<Result<Vec<&GraphicsProgram>>>()?;
    run(&all, &mut filled, trace, first.settings())?;
    Ok(filled)
}

/// Runs programs for the draw call of an input, and fills in the results.
///
/// # Errors
/// Those of [`run_stages`].
pub(super) fn run(
    programs: &[&GraphicsProgram],
    filled: &mut Value,
    trace: &mut dyn TraceSink,
    settings: &Settings,
) -> Result<()> {
    let draw = Draw::deserialize(&filled["draw"]).map_err(|e| wrong(e.to_string()))?;
    let mut stages = match filled.get("stages") {
        Some(Value::Object(stages)) => stages.clone(),
        Some(_) => return Err(wrong("\"stages\" is an object with the inputs of stages by name")),
        None => Map::new(),
    };
    let ordered = ordered(programs)?;
    let has = |stage: ShaderStage| ordered.iter().any(|program| program.drawing.stage == stage);
    if let Some(name) = stages.keys().find(|name| !ordered.iter().any(|p| p.drawing.stage.name() == **name)) {
        let name = shisa_diag::escape(name);
        return Err(wrong(format!("\"stages\" has an input for {name}, and no program is of this stage")));
    }
    let assembly = Assembly::of(&draw.topology, 0)
        .ok_or_else(|| wrong(format!("there is no topology \"{}\"", shisa_diag::escape(&draw.topology))))?;
    let mut all = Assembled { vertices: Vec::new(), primitives: Vec::new() };
    let mut executed = 0;
    for program in &ordered {
        let stage = program.drawing.stage;
        let record = stages.entry(stage.name()).or_insert_with(|| json!({}));
        let Value::Object(own) = record else {
            return Err(wrong(format!("the input of the stage {} is not an object", stage.name())));
        };
        match stage {
            ShaderStage::Vertex => {}
            ShaderStage::Geometry => drop(own.insert("primitives".into(), all.as_primitives())),
            _ => {
                let corners = all.primitives.iter().map(|p| all.corners(p)).collect::<Vec<Corners<'_>>>();
                let header = program.drawing.header.as_ref();
                own.insert("pixels".into(), draw.rasteriser.pixels(&corners, header, settings)?);
            }
        }
        let input = Input::deserialize(&*record).map_err(|e| wrong(e.to_string()))?;
        input.filled(record, program, trace, settings)?;
        executed += record["executed"].as_u64().unwrap_or(0);
        match stage {
            ShaderStage::Vertex => {
                all.vertices = outputs(&record["vertices"])?;
                all.primitives = assembled(assembly, draw.indices.as_deref(), all.vertices.len())?;
                if !has(ShaderStage::Geometry) {
                    all.primitives.iter_mut().for_each(without_adjacent);
                }
            }
            ShaderStage::Geometry => all = emitted(&record["primitives"])?,
            _ => {
                let drawn = draw.rasteriser.drawn(&record["pixels"]);
                if let Some(filled) = filled.as_object_mut() {
                    filled.insert("drawn".into(), drawn);
                }
            }
        }
    }
    if let Some(filled) = filled.as_object_mut() {
        filled.insert("stages".into(), Value::Object(stages));
        set_executed(filled, executed);
    }
    Ok(())
}

/// The programs in the order in which they run.
fn ordered<'p>(programs: &[&'p GraphicsProgram]) -> Result<Vec<&'p GraphicsProgram>> {
    const ORDER: [ShaderStage; 3] = [ShaderStage::Vertex, ShaderStage::Geometry, ShaderStage::Fragment];
    let mut all: Vec<&GraphicsProgram> = Vec::new();
    for stage in ORDER {
        let mut of_stage = programs.iter().filter(|program| program.drawing.stage == stage);
        all.extend(of_stage.next());
        if of_stage.next().is_some() {
            return Err(wrong(format!("two programs are of the stage {}", stage.name())));
        }
    }
    if let Some(other) = programs.iter().find(|program| !ORDER.contains(&program.drawing.stage)) {
        let name = other.drawing.stage.name();
        return Err(wrong(format!("a draw call does not run a program of the stage {name}")));
    }
    match all.first() {
        Some(first) if first.drawing.stage == ShaderStage::Vertex => Ok(all),
        _ => Err(wrong("a draw call begins with a vertex program")),
    }
}

/// The primitives of vertices, or of those that indices select.
fn assembled(assembly: Assembly, indices: Option<&[usize]>, vertices: usize) -> Result<Vec<Vec<usize>>> {
    match indices {
        Some(indices) => match indices.iter().find(|index| **index >= vertices) {
            Some(index) => Err(wrong(format!("index {index} of {vertices} vertices"))),
            None => Ok(assembly.primitives(indices)),
        },
        None => Ok(assembly.primitives(&(0..vertices).collect::<Vec<_>>())),
    }
}

/// Leaves out the vertices beside a line or a triangle, which only geometry programs read.
fn without_adjacent(corners: &mut Vec<usize>) {
    match corners[..] {
        [_, a, b, _] => *corners = vec![a, b],
        [a, _, b, _, c, _] => *corners = vec![a, b, c],
        _ => {}
    }
}

/// The components of each `out` of a list.
fn outputs(items: &Value) -> Result<Vec<Components>> {
    items.as_array().into_iter().flatten().map(|item| components(&item["out"])).collect()
}

/// The components of outputs by name.
fn components(named: &Value) -> Result<Components> {
    Names::vertex().all(&Named::deserialize(named).map_err(|e| wrong(e.to_string()))?)
}

/// What all runs of a geometry program emitted to the first stream, which is the one that is drawn.
fn emitted(primitives: &Value) -> Result<Assembled> {
    let mut all = Assembled { vertices: Vec::new(), primitives: Vec::new() };
    let runs =
        primitives.as_array().into_iter().flatten().filter_map(|primitive| primitive["out"].as_array());
    for run in runs.flatten() {
        let (stream, first) = (&run["streams"]["0"], all.vertices.len());
        for vertex in stream["vertices"].as_array().into_iter().flatten() {
            all.vertices.push(components(vertex)?);
        }
        for corners in stream["primitives"].as_array().into_iter().flatten() {
            let corners = corners.as_array().into_iter().flatten().filter_map(Value::as_u64);
            all.primitives.push(corners.map(|corner| first + corner as usize).collect());
        }
    }
    Ok(all)
}

impl Assembled {
    /// The vertices of a primitive.
    fn corners(&self, primitive: &[usize]) -> Corners<'_> {
        primitive.iter().filter_map(|vertex| self.vertices.get(*vertex)).collect()
    }

    /// The primitives as inputs of a geometry program.
    fn as_primitives(&self) -> Value {
        let names = Names::vertex();
        let vertex = |components: &Components| json!({ "in": names.text(components) });
        let corners =
            |primitive: &Vec<usize>| self.corners(primitive).into_iter().map(vertex).collect::<Value>();
        self.primitives.iter().map(|primitive| json!({ "vertices": corners(primitive) })).collect()
    }
}
