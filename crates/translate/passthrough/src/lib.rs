//! Passes SPIR-V to a graphics driver unchanged, for tests of our own writer. If another library read the module and
//! wrote it again, it would lose its decorations and its shape.
//!
//! The call is `unsafe` because nothing checks the words before the driver gets them. The call has a crate of its own
//! for that reason; only tests and chores depend on it. Pass only modules that `spirv-val` accepts.

/// A shader module of these words, with this entry point. The device must have
/// [`wgpu::Features::PASSTHROUGH_SHADERS`].
#[allow(unsafe_code, reason = "the only call that passes the words to the driver unchanged")]
pub fn module(device: &wgpu::Device, words: &[u32], entry: &str) -> wgpu::ShaderModule {
    let entry = wgpu::PassthroughShaderEntryPoint { name: entry.into(), workgroup_size: (64, 1, 1) };
    let descriptor = wgpu::ShaderModuleDescriptorPassthrough {
        entry_points: vec![entry].into(),
        spirv: Some(words.into()),
        ..Default::default()
    };
    // SAFETY: our writer made the words and `spirv-val` judges them; accesses to buffers stay within
    // the lanes that the host announces, and loops within what the program says.
    unsafe { device.create_shader_module_passthrough(descriptor) }
}
