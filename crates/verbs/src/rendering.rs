//! Options of drawing meshes.

use crate::set_defaults;
use serde::Deserialize;
use shisa::Error;
use shisa::data::pictures::{Attribute, Cull, Mesh, Picture, Render, Shader, render, set_matrices};
use shisa::diag::{Diagnostic, Limits};
use shisa::eval::draw::{Blend, Combination, Equation, Factor};
use std::str::FromStr;

/// How a mesh is drawn.
#[derive(Clone, Debug, Deserialize)]
#[serde(default, deny_unknown_fields, rename_all = "camelCase")]
#[cfg_attr(feature = "clap", derive(clap::Args))]
pub struct Rendering {
    /// What an input of the vertex program gets, such as va2=normal. By default what its name suggests, else in order
    /// position, coordinates, normal and color
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME=WHAT"))]
    pub attribute: Vec<NamedAttribute>,
    /// The first of the four constants that get the matrix which shows the whole mesh. By default the first four that
    /// nothing states. Other constants that nothing states are rows of unit matrices
    #[cfg_attr(feature = "clap", arg(long, value_name = "NAME"))]
    pub matrix: Option<String>,
    /// The constants of the matrix are its columns, not its rows
    #[cfg_attr(feature = "clap", arg(long))]
    pub columns: bool,
    /// Samples of a pixel: 1 or 4. The fragment program runs once for each pixel
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = 1))]
    pub samples: usize,
    /// Triangles that are not drawn, by the order of their corners
    #[cfg_attr(feature = "clap", arg(long, value_enum, value_name = "ORDER"))]
    pub cull: Option<Order>,
    /// How colours are combined with those drawn before them
    #[cfg_attr(feature = "clap", arg(long, value_enum, value_name = "HOW"))]
    pub blend: Option<Blending>,
    /// Draw what is hidden, too
    #[cfg_attr(feature = "clap", arg(long))]
    pub no_depth: bool,
    /// The number of the colour that is shown, of a program that outputs several
    #[cfg_attr(feature = "clap", arg(long, value_name = "N", default_value_t = 0))]
    pub target: u32,
}

impl Default for Rendering {
    fn default() -> Rendering {
        Rendering {
            attribute: Vec::new(),
            matrix: None,
            columns: false,
            samples: 1,
            cull: None,
            blend: None,
            no_depth: false,
            target: 0,
        }
    }
}

impl Rendering {
    /// The drawing with these options.
    pub fn drawing(&self) -> Render {
        let default = Render::default();
        Render {
            attributes: self.attribute.iter().map(|one| (one.name.clone(), one.what)).collect(),
            samples: self.samples,
            matrix: self.matrix.clone(),
            columns: self.columns,
            cull: match self.cull {
                None => Cull::Nothing,
                Some(Order::Clockwise) => Cull::Clockwise,
                Some(Order::Counterclockwise) => Cull::Counterclockwise,
            },
            depth: default.depth.filter(|_| !self.no_depth),
            blend: self.blend.map(Blending::of_library),
            target: self.target,
            ..default
        }
    }
}

/// An input of a vertex program, and what it gets: `NAME=WHAT`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct NamedAttribute {
    /// The name.
    pub name: String,
    /// What it gets.
    pub what: Attribute,
}

impl FromStr for NamedAttribute {
    type Err = String;

    fn from_str(text: &str) -> Result<NamedAttribute, String> {
        let (name, what) = text.split_once('=').ok_or("expected NAME=WHAT")?;
        let what = match what {
            "position" => Attribute::Position,
            "coordinates" => Attribute::Coordinates,
            "normal" => Attribute::Normal,
            "color" => Attribute::Color,
            _ => return Err("a mesh has position, coordinates, normal and color".into()),
        };
        Ok(NamedAttribute { name: name.into(), what })
    }
}

impl TryFrom<String> for NamedAttribute {
    type Error = String;

    fn try_from(text: String) -> Result<NamedAttribute, String> {
        text.parse()
    }
}

/// The order of the corners of a triangle in the picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Order {
    /// With the hands of a clock
    Clockwise,
    /// Against the hands of a clock
    Counterclockwise,
}

/// How colours are combined.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[cfg_attr(feature = "clap", derive(clap::ValueEnum))]
pub enum Blending {
    /// By their alpha
    Alpha,
    /// Their sum
    Add,
}

impl Blending {
    fn of_library(self) -> Blend {
        let (source, destination) = match self {
            Blending::Alpha => (Factor::SourceAlpha, Factor::OneMinusSourceAlpha),
            Blending::Add => (Factor::One, Factor::One),
        };
        let color = Equation { source, destination, combination: Combination::Add };
        Blend { color, alpha: Equation { source: Factor::One, ..color } }
    }
}

/// Draws a mesh; constants and textures that nothing states have defaults. Also returns a note on them, if there are any.
///
/// # Errors
/// What the programs refuse to draw.
pub fn rendered(
    vertex: &mut dyn Shader,
    fragment: Option<&mut (dyn Shader + '_)>,
    mesh: &Mesh,
    drawing: &Render,
    limits: &Limits,
) -> Result<(Picture, Option<Diagnostic>), Error> {
    set_matrices(vertex, mesh, drawing)?;
    let Some(fragment) = fragment else {
        return Ok((render(vertex, None, mesh, drawing, limits)?, None));
    };
    let note = set_defaults(fragment)?;
    Ok((render(vertex, Some(fragment), mesh, drawing, limits)?, note))
}
