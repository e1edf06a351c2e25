//! Validation and printing by naga, with its options.

use crate::{GlslVersion, Options, Program, Reflection, ShaderModel, Target, memory};
use naga::{
    Module, ResourceBinding,
    back::{glsl, hlsl, msl},
    proc::BoundsCheckPolicies,
    valid::{Capabilities, ModuleInfo, ValidationFlags, Validator},
};
use shisa_diag::Diagnostic;
use shisa_ir::Stage;
use std::fmt::Write as _;

/// A printed module.
pub(super) struct Printed {
    pub(super) text: String,
    /// Identifiers to replace, with what by.
    pub(super) renames: Vec<(String, String)>,
    /// Sampler variables with register and space, for HLSL.
    pub(super) samplers: Vec<(String, u32, u32)>,
}

/// Validates a module.
pub(super) fn validate(module: &Module) -> Result<ModuleInfo, Diagnostic> {
    Validator::new(ValidationFlags::all(), Capabilities::MULTISAMPLED_SHADING)
        .validate(module)
        .map_err(|e| refused(&e.into_inner()))
}

/// A refusal by naga, with every cause it states.
pub(super) fn refused(error: &dyn std::error::Error) -> Diagnostic {
    let mut text = format!("the printer refuses the program: {error}");
    let mut cause = error.source();
    while let Some(c) = cause {
        let _ = write!(text, ": {c}");
        cause = c.source();
    }
    Diagnostic::error("translate-refused", text)
}

/// Prints a valid module. The reflection learns names and slots.
pub(super) fn print(
    module: &Module,
    info: &ModuleInfo,
    program: &Program,
    target: Target,
    options: &Options,
    reflection: &mut Reflection,
) -> Result<Printed, Diagnostic> {
    let mut printed =
        Printed { text: String::with_capacity(2048), renames: Vec::new(), samplers: Vec::new() };
    match target {
        Target::Wgsl | Target::Spirv(_) => {}
        Target::Glsl(version) => {
            print_glsl(module, info, program, version, options, reflection, &mut printed)?
        }
        Target::Hlsl(model) => {
            let settings = hlsl::Options {
                shader_model: match model {
                    ShaderModel::V5_1 => hlsl::ShaderModel::V5_1,
                    ShaderModel::V6_0 => hlsl::ShaderModel::V6_0,
                },
                restrict_indexing: false,
                zero_initialize_workgroup_memory: false,
                ..hlsl::Options::default()
            };
            let pipeline = hlsl::PipelineOptions { entry_point: None };
            let mut writer = hlsl::Writer::new(&mut printed.text, &settings, &pipeline);
            let written = writer.write(module, info, None).map_err(|e| refused(&e))?;
            for name in written.entry_point_names {
                name.map_err(|e| refused(&e))?;
            }
            for t in &reflection.textures {
                if let Some(binding) = t.sampler_binding {
                    printed.samplers.push((format!("{}_sampler", t.name), binding, t.slot.group));
                }
            }
            for s in &reflection.samplers {
                printed.samplers.push((s.name.to_string(), s.slot.binding, s.slot.group));
            }
        }
        Target::Msl => print_msl(module, info, program, options, reflection, &mut printed)?,
    }
    Ok(printed)
}

/// The binding point of a uniform block in a linked OpenGL program: vertex programs count from 0,
/// fragment programs from 8.
const fn block_point(stage: Stage, i: u32) -> u32 {
    if matches!(stage, Stage::Fragment) { 8 + i } else { i }
}

/// The texture unit in a linked OpenGL program: fragment programs count from 0, others from 16.
const fn texture_point(stage: Stage, unit: u16) -> u32 {
    if matches!(stage, Stage::Fragment) { unit as u32 } else { 16 + unit as u32 }
}

fn print_glsl(
    module: &Module,
    info: &ModuleInfo,
    program: &Program,
    version: GlslVersion,
    options: &Options,
    reflection: &mut Reflection,
    printed: &mut Printed,
) -> Result<(), Diagnostic> {
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
    let mut bind = |group, binding, point: u32| {
        let point = u8::try_from(point).unwrap_or(u8::MAX);
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
        bind(lanes.group, lanes.output_binding, 1);
    }
    for (_, global) in module.global_variables.iter() {
        if let (naga::AddressSpace::Storage { .. }, Some(b)) = (global.space, global.binding)
            && b.group == options.bindings.memory
        {
            bind(b.group, b.binding, b.binding.saturating_add(2));
        }
    }
    let Some(entry) = module.entry_points.first() else { return Ok(()) };
    let pipeline =
        glsl::PipelineOptions { shader_stage: entry.stage, entry_point: entry.name.clone(), multiview: None };
    let checks = BoundsCheckPolicies::default();
    let mut writer = glsl::Writer::new(&mut printed.text, module, info, &settings, &pipeline, checks)
        .map_err(|e| refused(&e))?;
    let names = writer.write().map_err(|e| refused(&e))?;
    let suffix = match entry.stage {
        naga::ShaderStage::Vertex => "vs",
        naga::ShaderStage::Fragment => "fs",
        _ => "cs",
    };
    for (handle, global) in module.global_variables.iter() {
        let (Some(binding), Some(name)) = (global.binding, &global.name) else { continue };
        let printed_name = format!("_group_{}_binding_{}_{suffix}", binding.group, binding.binding);
        printed.renames.push((printed_name, name.clone()));
        let at = |s: &crate::Slot| s.group == binding.group && s.binding == binding.binding;
        if let Some(u) = reflection.uniforms.iter_mut().find(|u| at(&u.slot)) {
            let block = format!("{name}_{}", stage.name());
            if let Some(printed_name) = names.uniforms.get(&handle) {
                printed.renames.push((printed_name.clone(), block.clone()));
            }
            u.slot.glsl = Some(block);
        }
        if let Some(t) = reflection.textures.iter_mut().find(|t| at(&t.slot)) {
            t.slot.glsl = Some(name.clone());
        }
    }
    Ok(())
}

/// Metal's argument tables: the uniform array of binding i is buffer i, texture and sampler u are u; memory is buffer
/// 8 and up, lanes are buffers 6 and 7. Buffer 5 holds the sizes in bytes of those that are arrays
/// without a stated length (lanes, memory), in order.
fn print_msl(
    module: &Module,
    info: &ModuleInfo,
    program: &Program,
    options: &Options,
    reflection: &mut Reflection,
    printed: &mut Printed,
) -> Result<(), Diagnostic> {
    let slot = |n: u32| u8::try_from(n).ok();
    let mut resources = msl::EntryPointResources { sizes_buffer: Some(5), ..Default::default() };
    let mut bind = |group, binding, target| {
        resources.resources.insert(ResourceBinding { group, binding }, target);
    };
    let buffer = |n, mutable| msl::BindTarget { buffer: slot(n), mutable, ..Default::default() };
    for u in &mut reflection.uniforms {
        u.slot.index = Some(u.slot.binding);
        bind(u.slot.group, u.slot.binding, buffer(u.slot.binding, false));
    }
    for t in &mut reflection.textures {
        let unit = u32::from(t.unit);
        t.slot.index = Some(unit);
        let mutable = t.access == "written";
        let target = msl::BindTarget { texture: slot(unit), mutable, ..Default::default() };
        bind(t.slot.group, t.slot.binding, target);
        if let Some(binding) = t.sampler_binding {
            let sampler = slot(unit).map(msl::BindSamplerTarget::Resource);
            bind(t.slot.group, binding, msl::BindTarget { sampler, ..Default::default() });
        }
    }
    for s in &mut reflection.samplers {
        let unit = u32::from(s.unit);
        s.slot.index = Some(unit);
        let sampler = slot(unit).map(msl::BindSamplerTarget::Resource);
        bind(s.slot.group, s.slot.binding, msl::BindTarget { sampler, ..Default::default() });
    }
    if let Some(lanes) = &reflection.lanes {
        bind(lanes.group, lanes.input_binding, buffer(6, false));
        bind(lanes.group, lanes.output_binding, buffer(7, true));
    }
    for binding in memory::uses(program).iter().filter_map(|u| memory::binding(u.space)) {
        bind(options.bindings.memory, binding, buffer(8 + binding, true));
    }
    let mut settings = msl::Options {
        lang_version: (2, 1),
        fake_missing_bindings: false,
        bounds_check_policies: BoundsCheckPolicies::default(),
        zero_initialize_workgroup_memory: false,
        ..msl::Options::default()
    };
    if let Some(entry) = module.entry_points.first() {
        settings.per_entry_point_map.insert(entry.name.clone(), resources);
    }
    let pipeline = msl::PipelineOptions::default();
    let mut writer = msl::Writer::new(std::mem::take(&mut printed.text));
    let written = writer.write(module, info, &settings, &pipeline).map_err(|e| refused(&e))?;
    for name in written.entry_point_names {
        name.map_err(|e| refused(&e))?;
    }
    printed.text = writer.finish();
    Ok(())
}
