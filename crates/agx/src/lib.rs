//! Apple AGX (G13) machine code
