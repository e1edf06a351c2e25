//! AGAL 1 to 4, the shader bytecode of Flash and AIR (Stage3D)
