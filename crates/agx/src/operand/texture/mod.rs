//! Operands of texture and image rows.

mod coordinates;
mod image;
mod level;
mod reference;
mod sample;
mod state;

pub(crate) use coordinates::{COORDINATES, Place, floats, place, shape};
pub(crate) use image::*;
pub(crate) use level::{LOD, LOD_TYPE, level};
pub(crate) use reference::{described, sampler, texture};
pub(crate) use sample::*;
pub(crate) use state::*;
