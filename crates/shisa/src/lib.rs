//! The toolchain for shader machine code: AGAL, PICA200, Maxwell and AGX
