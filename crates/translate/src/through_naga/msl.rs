//! MSL.

use super::guard::{guarded, refused};
use super::printed::Printed;
use crate::{Kind, Reflection, Variable};
use naga::{Module, ResourceBinding, back::msl, proc::BoundsCheckPolicies, valid::ModuleInfo};
use shisa_diag::Diagnostic;
use shisa_ir::TextureAccess;

/// The first buffer that is memory.
const MEMORY: u32 = 8;

/// Whether one of the variables is of a kind.
fn has(all: &[Variable], kind: Kind) -> bool {
    all.iter().any(|v| v.kind == kind)
}

/// The version of the language: the first one that has what the program needs.
fn version(reflection: &Reflection, has_int64: bool) -> (u8, u8) {
    if reflection.textures.iter().any(|t| matches!(t.access, TextureAccess::Changed(_))) {
        return (3, 1);
    }
    if has_int64 || has(&reflection.inputs, Kind::PrimitiveIndex) { (2, 3) } else { (2, 1) }
}

/// Metal's argument tables: the uniform array with binding i is buffer i; texture and sampler u are u; memory is
/// buffer 8 and up, in the order of the reflection; lanes are buffers 6 and 7. Buffer 5 holds the sizes in bytes of the
/// buffers that are arrays without a stated length (lanes, memory), in order. `has_int64` is whether there are 64-bit integers.
pub(super) fn print(
    module: &Module,
    info: &ModuleInfo,
    reflection: &mut Reflection,
    has_int64: bool,
) -> Result<Printed, Diagnostic> {
    let mut printed = Printed::new();
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
        let mutable = t.access.is_stored();
        let target = msl::BindTarget { texture: slot(unit), mutable, ..Default::default() };
        bind(t.slot.group, t.slot.binding, target);
        if let Some(binding) = t.sampler_binding {
            let sampler = slot(unit).map(msl::BindSamplerTarget::Resource);
            bind(
                t.sampler_group.unwrap_or(t.slot.group),
                binding,
                msl::BindTarget { sampler, ..Default::default() },
            );
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
        bind(lanes.output_group.unwrap_or(lanes.group), lanes.output_binding, buffer(7, true));
    }
    for (number, m) in (MEMORY..).zip(&mut reflection.memory) {
        m.slot.index = Some(number);
        bind(m.slot.group, m.slot.binding, buffer(number, m.size.is_none()));
    }
    let mut settings = msl::Options {
        lang_version: version(reflection, has_int64),
        fake_missing_bindings: false,
        bounds_check_policies: BoundsCheckPolicies::default(),
        zero_initialize_workgroup_memory: false,
        ..msl::Options::default()
    };
    if let Some(entry) = module.entry_points.first() {
        settings.per_entry_point_map.insert(entry.name.clone(), resources);
    }
    let points = has(&reflection.outputs, Kind::PointSize);
    let pipeline = msl::PipelineOptions { allow_and_force_point_size: points, ..Default::default() };
    let text = std::mem::take(&mut printed.text);
    printed.text = guarded(|| {
        let mut writer = msl::Writer::new(text);
        let written = writer.write(module, info, &settings, &pipeline).map_err(|e| refused(&e))?;
        for name in written.entry_point_names {
            name.map_err(|e| refused(&e))?;
        }
        Ok(writer.finish())
    })?;
    Ok(printed)
}
