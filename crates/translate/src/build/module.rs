//! The module around the program's function: its declarations and the entry point.

use super::body::{Body, EXPRESSIONS, Made, Tables};
use super::emission::{self, Emission};
use super::globals::Globals;
use super::{entry, globals, helpers::Helpers, plan::Plan};
use crate::streams::Streams;
use crate::syntax::{Draft, EntryStage, Function, Kind, Module};
use crate::{Form, LANES_A_WORKGROUP, Options, Program, Target};
use shisa_diag::Diagnostic;
use shisa_ir::Stage;

/// The memory of modules that were printed, for the next one.
#[derive(Default)]
pub(super) struct Spare {
    module: Module<'static>,
    functions: Vec<Function<'static>>,
    globals: Globals<'static>,
    tables: Tables,
}

impl Spare {
    /// An empty function.
    fn function(&mut self) -> Function<'static> {
        self.functions.pop().unwrap_or_default()
    }

    /// Takes the memory of a module that is no longer needed.
    pub(super) fn take(&mut self, module: Module) {
        self.functions.clear();
        self.module = module.emptied(&mut self.functions);
    }
}

/// Builds the module of a program, whose last function is the program's, and what printers need besides.
pub(super) fn build<'p>(
    program: &'p Program<'p>,
    target: Target,
    options: &'p Options,
    plan: &Plan,
    mut helpers: Helpers<'p>,
    spare: &mut Spare,
) -> Result<(Module<'p>, Made<'p>), Diagnostic> {
    let mut module: Module<'p> = std::mem::take(&mut spare.module);
    let globals = std::mem::take(&mut spare.globals);
    module.reserve();
    let mut globals = globals::globals(&mut module, globals, program, options, target, plan)?;
    if let Some(geometry) = program.interface.geometry {
        let word = module.types.of(Kind::Uint, 1);
        let count = emission::private(&mut module, "vertex_count".into(), word);
        let first = globals
            .lanes
            .map(|lanes| (emission::private(&mut module, "first_element".into(), word), lanes.1));
        let mut add = |function| {
            helpers.functions.push(function);
            crate::syntax::FunctionId::new(helpers.functions.len() - 1)
        };
        if geometry.strips.is_some() {
            let ended = first.map(|_| emission::private(&mut module, "strip_ended".into(), word));
            let lanes = first.zip(ended).map(|((first, buffer), ended)| [first, buffer, ended]);
            let types = &mut module.types;
            let takes_stream = lanes.is_some() || Streams::of(program).is_some();
            let result = globals.result;
            let function =
                add(emission::in_strip(program, types, options, result, count, lanes, takes_stream));
            let end = add(emission::end(types, ended));
            let (first, strips) = (first.map(|f| f.0), Some((end, ended)));
            globals.emission = Some(Emission { function, count, first, strips, takes_stream });
        } else if let Some(vertex) = globals.result {
            let types = &mut module.types;
            let function = add(emission::function(program, types, options, vertex, count, first));
            let first = first.map(|f| f.0);
            let emission = Emission { function, count, first, strips: None, takes_stream: false };
            globals.emission = Some(emission);
        }
    }
    let room = program.func.nodes.list.len() * EXPRESSIONS;
    let draft = Draft::new(&mut module.types, spare.function(), options.name.as_str().into(), room);
    let memory = (draft, &mut spare.tables);
    let body = Body::new(program, options, target, plan, &globals, &mut helpers, memory);
    let (function, made) = body.finish()?;
    module.functions.append(&mut helpers.functions);
    module.diverges = plan.diverges;
    module.subgroups = plan.subgroups;
    let result = function.result;
    let callee = module.add_function(function);
    let draft = entry::draft(&mut module.types, spare.function(), options);
    module.entry.function = match globals.lanes {
        Some(lanes) => entry::lanes(program, draft, callee, result, lanes, &globals, options, plan.kills),
        None => entry::stage(program, draft, callee, result, &globals, target)?,
    };
    spare.globals = globals.emptied();
    (module.entry.stage, module.entry.workgroup) = match (options.form, program.interface.stage) {
        (Form::Compute, _) => (EntryStage::Compute, [LANES_A_WORKGROUP, 1, 1]),
        (_, Stage::Vertex) => (EntryStage::Vertex, [1; 3]),
        // naga has no tessellation either.
        (_, Stage::TessellationEvaluation) => (EntryStage::Vertex, [1; 3]),
        (_, Stage::TessellationControl) => (EntryStage::Compute, [1; 3]),
        (_, Stage::Fragment) => (EntryStage::Fragment, [1; 3]),
        (_, Stage::Compute) => (EntryStage::Compute, program.interface.workgroup),
        // naga has no geometry stage; the shell of the stage is added to the printed text.
        (_, Stage::Geometry) => (EntryStage::Fragment, [1; 3]),
    };
    Ok((module, made))
}
