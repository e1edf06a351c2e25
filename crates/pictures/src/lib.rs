//! Pictures of shader programs.
//!
//! A [`Shader`] is a program of a graphics stage that is ready to run: instruction sets provide it, and [`Code`] does most
//! of what they need for it. [`preview`] runs a fragment program over a rectangle and returns a [`Picture`]: colours as
//! floats, which pixels were discarded, and the [`Counts`] of what each pixel cost. An [`Image`] is a picture of bytes, such
//! as a texture.
//!
//! Nothing here reads files or starts threads, so all of it runs in browsers.

mod code;
mod codes;
mod counts;
mod faults;
mod floats;
mod heat;
mod image;
mod picture;
mod preview;
mod shader;

pub use code::{Around, Code};
pub use codes::CODES;
pub use counts::Counts;
pub use faults::Result;
pub use heat::Heat;
pub use image::Image;
pub use picture::Picture;
pub use preview::{CORNERS, Corners, Preview, preview};
pub use shader::{Constant, Lanes, Ran, Shader, Slot};
