//! The library through the public interface. One binary has all of its tests: each one more would link the workspace again.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod agal_engines;
mod agx_draw;
mod agx_imageblock;
mod agx_inputs;
mod agx_parts;
mod agx_textures;
mod compute_engines;
mod debug;
mod debug_causes;
mod debug_events;
mod debug_walks;
mod embedding;
mod engines;
mod entries;
mod explain;
mod fields;
mod graphs;
mod house;
mod limits;
mod maxwell_chain;
mod maxwell_findings;
mod maxwell_geometry;
mod maxwell_merging;
mod maxwell_raster;
mod maxwell_run;
mod maxwell_stage;
mod maxwell_tessellation;
mod outputs;
mod pica200_files;
mod pica200_run;
mod pictures;
mod pictures_render;
mod prepared;
mod readme;
mod replace;
#[path = "../../../../docs/schema/check.rs"]
mod schema;
mod sessions;
mod sources;
mod swf;
mod translator;
