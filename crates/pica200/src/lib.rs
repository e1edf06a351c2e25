//! PICA200, the shader unit of the Nintendo 3DS
