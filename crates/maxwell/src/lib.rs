//! NVIDIA Maxwell (SPA 5.x, sm_50 to sm_53) machine code
