//! GLSL.

use super::guard::{guarded, refused};
use super::printed::Printed;
use crate::{GlslVersion, Program, Reflection};
use naga::{Module, ResourceBinding, back::glsl, proc::BoundsCheckPolicies, valid::ModuleInfo};
use shisa_diag::Diagnostic;
use shisa_ir::Stage;

/// The binding point of a uniform block in a linked OpenGL program: vertex programs count from 0, fragment programs
/// from 8.
const fn block_point(stage: Stage, i: u32) -> u32 {
    if matches!(stage, Stage::Fragment) { i.saturating_add(8) } else { i }
}

/// The name of a block, which no block of another stage of a linked program has.
fn block_name(name: &str, stage: Stage) -> String {
    format!("{name}_{}", stage.name().replace('-', "_"))
}

/// Binding points of the storage buffers of the compute form; those of memory follow.
const LANES: u32 = 2;

/// The texture unit in a linked OpenGL program: fragment programs count from 0, others from 16.
const fn texture_point(stage: Stage, unit: u16) -> u32 {
    if matches!(stage, Stage::Fragment) { unit as u32 } else { 16 + unit as u32 }
}

/// Prints a valid module. Sets the names and slots in the reflection.
pub(super) fn print(
    module: &Module,
    info: &ModuleInfo,
    program: &Program,
    version: GlslVersion,
    reflection: &mut Reflection,
) -> Result<Printed, Diagnostic> {
    let mut printed = Printed::new();
    let stage = program.interface.stage;
    let (version, explicit) = match version {
        GlslVersion::Core330 => (glsl::Version::Desktop(330), false),
        GlslVersion::Core450 => (glsl::Version::Desktop(450), true),
        GlslVersion::Es300 => (glsl::Version::Embedded { version: 300, is_webgl: false }, false),
        GlslVersion::Es310 => (glsl::Version::Embedded { version: 310, is_webgl: false }, true),
    };
    let mut settings = glsl::Options {
        version,
        writer_flags: glsl::WriterFlags::empty(),
        zero_initialize_workgroup_memory: false,
        ..glsl::Options::default()
    };
    // The largest point that does not fit.
    let mut high = 0;
    let mut bind = |group, binding, point: u32| {
        let Ok(point) = u8::try_from(point) else {
            high = high.max(point);
            return None;
        };
        settings.binding_map.insert(ResourceBinding { group, binding }, point);
        explicit.then_some(u32::from(point))
    };
    for u in &mut reflection.uniforms {
        u.slot.index = bind(u.slot.group, u.slot.binding, block_point(stage, u.slot.binding));
    }
    for t in &mut reflection.textures {
        t.slot.index = bind(t.slot.group, t.slot.binding, texture_point(stage, t.unit));
    }
    if let Some(lanes) = &reflection.lanes {
        bind(lanes.group, lanes.input_binding, 0);
        bind(lanes.output_group.unwrap_or(lanes.group), lanes.output_binding, 1);
    }
    let arrays = reflection.uniforms.iter().map(|u| u.slot.binding.saturating_add(1)).max().unwrap_or(0);
    let (mut blocks, mut buffers) = (block_point(stage, arrays), LANES);
    for m in &mut reflection.memory {
        let next = if m.size.is_some() { &mut blocks } else { &mut buffers };
        m.slot.index = bind(m.slot.group, m.slot.binding, *next);
        *next = next.saturating_add(1);
    }
    if explicit && high > 0 {
        let text = format!("a resource has the binding point {high}; GLSL is printed with points up to 255");
        return Err(Diagnostic::error("translate-binding", text).help("request smaller numbers of bindings"));
    }
    let Some(entry) = module.entry_points.first() else {
        return Err(crate::internal("a module has no entry point"));
    };
    let pipeline =
        glsl::PipelineOptions { shader_stage: entry.stage, entry_point: entry.name.clone(), multiview: None };
    let checks = BoundsCheckPolicies::default();
    let text = &mut printed.text;
    let names = guarded(|| {
        let mut writer =
            glsl::Writer::new(text, module, info, &settings, &pipeline, checks).map_err(|e| refused(&e))?;
        writer.write().map_err(|e| refused(&e))
    })?;
    let suffix = match entry.stage {
        naga::ShaderStage::Vertex => "vs",
        naga::ShaderStage::Fragment => "fs",
        _ => "cs",
    };
    for (handle, global) in module.global_variables.iter() {
        let (Some(binding), Some(name)) = (global.binding, &global.name) else { continue };
        let printed_name = format!("_group_{}_binding_{}_{suffix}", binding.group, binding.binding);
        printed.rename(printed_name, name.clone())?;
        let at = |s: &crate::Slot| s.group == binding.group && s.binding == binding.binding;
        let uniforms = reflection.uniforms.iter_mut().map(|u| &mut u.slot);
        let memory = reflection.memory.iter_mut().filter(|m| m.size.is_some()).map(|m| &mut m.slot);
        if let Some(slot) = uniforms.chain(memory).find(|slot| at(slot)) {
            let block = block_name(name, stage);
            if let Some(printed_name) = names.uniforms.get(&handle) {
                printed.rename(printed_name.clone(), block.clone())?;
            }
            slot.glsl = Some(block);
        }
        if let Some(t) = reflection.textures.iter_mut().find(|t| at(&t.slot)) {
            t.slot.glsl = Some(name.clone());
        }
    }
    Ok(printed)
}
