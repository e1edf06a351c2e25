//! HLSL.

use super::guard::{guarded, refused};
use super::printed::Printed;
use crate::{Reflection, ShaderModel};
use naga::{Module, back::hlsl, valid::ModuleInfo};
use shisa_diag::Diagnostic;

/// Prints a valid module. The reflection lists the samplers.
pub(super) fn print(
    module: &Module,
    info: &ModuleInfo,
    model: ShaderModel,
    reflection: &Reflection,
) -> Result<Printed, Diagnostic> {
    let mut printed = Printed::new();
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
    let text = &mut printed.text;
    guarded(|| {
        let mut writer = hlsl::Writer::new(text, &settings, &pipeline);
        let written = writer.write(module, info, None).map_err(|e| refused(&e))?;
        for name in written.entry_point_names {
            name.map_err(|e| refused(&e))?;
        }
        Ok(())
    })?;
    for t in &reflection.textures {
        if let Some(binding) = t.sampler_binding {
            printed.samplers.push((
                format!("{}_sampler", t.name),
                binding,
                t.sampler_group.unwrap_or(t.slot.group),
            ));
        }
    }
    for s in &reflection.samplers {
        printed.samplers.push((s.name.to_string(), s.slot.binding, s.slot.group));
    }
    Ok(printed)
}
