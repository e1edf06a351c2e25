//! Hands SPIR-V to a graphics driver as it is, for tests of our own writer: read and written again by
//! another library, it would lose its decorations and its shape.
//!
//! The call is `unsafe` because nothing checks the words on their way; that is the reason for this crate,
//! which nothing but tests and chores depends on. Hand it only what `spirv-val` accepts.

/// A shader module of these words, with this entry point. The device must have
/// [`wgpu::Features::PASSTHROUGH_SHADERS`].
#[allow(unsafe_code, reason = "the only way to a driver that does not rewrite the words")]
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
