//! Translation of shisa IR to WGSL, GLSL, HLSL, MSL and SPIR-V
