//! The stages of a draw call.

use super::super::super::stages::GraphicsProgram;
use crate::Result;
use crate::run::wrong;
use shisa_maxwell::ShaderStage;

/// The stages in the order in which they run.
const ORDER: [ShaderStage; 5] = [
    ShaderStage::Vertex,
    ShaderStage::TessellationControl,
    ShaderStage::TessellationEvaluation,
    ShaderStage::Geometry,
    ShaderStage::Fragment,
];

/// The programs of a draw call, in the order in which they run: at most one of each stage, the first one for vertices.
pub(super) struct Order<'p>(Vec<&'p GraphicsProgram>);

impl<'p> Order<'p> {
    /// The programs in their order.
    ///
    /// # Errors
    /// `run-input` for stages that do not follow each other.
    pub(super) fn of(programs: &[&'p GraphicsProgram]) -> Result<Order<'p>> {
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
        let order = Order(all);
        if order.0.first().is_none_or(|first| first.drawing.stage != ShaderStage::Vertex) {
            return Err(wrong("a draw call begins with a vertex program"));
        }
        let [control, evaluation] = [ShaderStage::TessellationControl, ShaderStage::TessellationEvaluation];
        if order.has(control) && !order.has(evaluation) {
            return Err(wrong("a tessellation control program needs a tessellation evaluation program"));
        }
        Ok(order)
    }

    /// The programs.
    pub(super) fn programs(&self) -> &[&'p GraphicsProgram] {
        &self.0
    }

    /// The program of a stage.
    pub(super) fn program(&self, stage: ShaderStage) -> Option<&'p GraphicsProgram> {
        self.0.iter().find(|program| program.drawing.stage == stage).copied()
    }

    /// Whether there is a program of a stage.
    pub(super) fn has(&self, stage: ShaderStage) -> bool {
        self.program(stage).is_some()
    }
}
