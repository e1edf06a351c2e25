//! Pictures of shader programs.
//!
//! A [`Shader`] is a program of a graphics stage that is ready to run: instruction sets provide it, and [`Code`] does most
//! of what they need for it. [`preview`] runs a fragment program over a rectangle and returns a [`Picture`]: colours as
//! floats, which pixels were discarded, and the [`Counts`] of what each pixel cost. [`render`](fn@render) draws a [`Mesh`] with
//! a vertex program on the rasteriser of [`shisa_eval::draw`], and with a fragment program or plain shading. An [`Image`] is a picture of bytes, such
//! as a texture.
//!
//! Nothing here reads files or starts threads, so all of it runs in browsers.

mod attributes;
mod camera;
mod code;
mod codes;
mod counts;
mod covered;
mod drawing;
mod faults;
mod fragments;
mod heat;
mod image;
mod mesh;
mod noted;
mod picture;
mod pixel;
mod preview;
mod render;
mod samples;
mod shader;
#[cfg(test)]
mod testing;

pub use attributes::Attribute;
pub use code::{Around, Code};
pub use codes::CODES;
pub use counts::Counts;
pub use drawing::{Cull, Render};
pub use faults::{Result, no_texture, wrong};
pub use heat::Heat;
pub use image::Image;
pub use mesh::{Mesh, Vertex};
pub use noted::{Noted, replayed};
pub use picture::Picture;
pub use pixel::{PixelOf, PixelRun, render_pixel};
pub use preview::{CORNERS, Corners, Preview, preview, preview_quad};
pub use render::{render, set_matrices};
pub use shader::{Constant, Lanes, Ran, Shader, Slot};
