//! Exact evaluator: waves, environment, textures, tracer
