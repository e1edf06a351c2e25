//! Validation of WGSL by naga.

use naga::valid::{Capabilities, ValidationFlags, Validator};

/// Whether naga parses a WGSL text and finds it valid.
///
/// # Errors
/// naga's error message.
pub fn judge_wgsl(text: &str) -> Result<(), String> {
    let module = naga::front::wgsl::parse_str(text).map_err(|e| e.emit_to_string(text))?;
    let extensions = Capabilities::MULTISAMPLED_SHADING
        | Capabilities::CLIP_DISTANCES
        | Capabilities::PRIMITIVE_INDEX
        | Capabilities::CUBE_ARRAY_TEXTURES
        | Capabilities::SUBGROUP;
    let mut validator = Validator::new(ValidationFlags::all(), extensions);
    validator.validate(&module).map(drop).map_err(|e| e.emit_to_string(text))
}
