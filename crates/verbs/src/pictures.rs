//! Values of what pictures read: named numbers and corners, and defaults.

use serde::Deserialize;
use shisa::Error;
use shisa::data::pictures::{self, Corners, Image, Shader};
use shisa::diag::{Diagnostic, Severity};
use std::str::FromStr;

/// The components of constants that nothing states: they differ, and an alpha is 1.
const DEFAULT: [f32; 4] = [0.25, 0.5, 0.75, 1.0];

/// Numbers for components of something with a name: `NAME=X,Y,Z,W`. `NAME.y` has its first number for the second
/// component.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct NamedNumbers {
    /// The name.
    pub name: String,
    /// The component of the first number.
    pub first: usize,
    /// The numbers.
    pub numbers: Vec<f32>,
}

impl FromStr for NamedNumbers {
    type Err = String;

    fn from_str(text: &str) -> Result<NamedNumbers, String> {
        let (name, list) = text.split_once('=').ok_or("expected NAME=X,Y,Z,W")?;
        let (name, first) = component(name);
        Ok(NamedNumbers { name: name.into(), first, numbers: numbers(list)? })
    }
}

/// A component of something with a name: `NAME.y` is the second one, `NAME` the first one.
pub fn component(name: &str) -> (&str, usize) {
    let split = name.rsplit_once('.');
    let found = split
        .and_then(|(name, letter)| Some((name, ["x", "y", "z", "w"].iter().position(|c| *c == letter)?)));
    found.unwrap_or((name, 0))
}

fn numbers(list: &str) -> Result<Vec<f32>, String> {
    let number = |text: &str| text.trim().parse().map_err(|_| format!("`{text}` is not a number"));
    list.split(',').map(number).collect()
}

/// The values of an input at the corners of a picture: `NAME=A/B/C/D`, each with up to four numbers.
#[derive(Clone, Debug, Deserialize)]
#[serde(try_from = "String")]
pub struct NamedCorners {
    /// The name.
    pub name: String,
    /// The values at the corners.
    pub corners: Corners,
}

impl FromStr for NamedCorners {
    type Err = String;

    fn from_str(text: &str) -> Result<NamedCorners, String> {
        let (name, list) = text.split_once('=').ok_or("expected NAME=A/B/C/D")?;
        let mut corners = [[0.0, 0.0, 0.0, 1.0]; 4];
        let parts: Vec<&str> = list.split('/').collect();
        if ![1, corners.len()].contains(&parts.len()) {
            let text = "expected one value, or four: upper left/upper right/lower left/lower right";
            return Err(text.into());
        }
        for (corner, part) in corners.iter_mut().zip(parts.iter().cycle()) {
            let numbers = numbers(part)?;
            if numbers.len() > corner.len() {
                return Err(format!("`{part}` has more than four numbers"));
            }
            corner.iter_mut().zip(numbers).for_each(|(to, number)| *to = number);
        }
        Ok(NamedCorners { name: name.into(), corners })
    }
}

impl TryFrom<String> for NamedNumbers {
    type Error = String;

    fn try_from(text: String) -> Result<NamedNumbers, String> {
        text.parse()
    }
}

impl TryFrom<String> for NamedCorners {
    type Error = String;

    fn try_from(text: String) -> Result<NamedCorners, String> {
        text.parse()
    }
}

/// Sets constants and textures of all programs that have them.
///
/// # Errors
/// `picture-input` for one that no program has.
pub fn set_values(
    shaders: &mut [&mut dyn Shader],
    constants: &[NamedNumbers],
    textures: &[(String, Image)],
) -> Result<(), Error> {
    for NamedNumbers { name, first, numbers } in constants {
        any(shaders, |shader| shader.set_constant(name, *first, numbers))?;
    }
    for (name, image) in textures {
        any(shaders, |shader| shader.set_texture(name, image))?;
    }
    Ok(())
}

/// Does something for all programs, of which at least one must take it.
fn any(
    shaders: &mut [&mut dyn Shader],
    mut set: impl FnMut(&mut dyn Shader) -> pictures::Result<()>,
) -> Result<(), Error> {
    let mut faults = Vec::new();
    for shader in shaders.iter_mut() {
        faults.extend(set(&mut **shader).err());
    }
    match faults.len() == shaders.len() {
        true => faults.into_iter().next().map_or(Ok(()), |first| Err(first.into())),
        false => Ok(()),
    }
}

/// Sets constants and textures that nothing states. Returns a note on them, if there are any.
///
/// # Errors
/// What the shader refuses.
pub fn set_defaults(shader: &mut dyn Shader) -> Result<Option<Diagnostic>, Error> {
    let constants: Vec<_> = shader.constants().into_iter().filter(|constant| !constant.is_set).collect();
    for constant in &constants {
        let values: Vec<f32> = DEFAULT.into_iter().cycle().take(constant.count.into()).collect();
        shader.set_constant(&constant.name, 0, &values)?;
    }
    let textures: Vec<_> = shader.textures().into_iter().filter(|slot| !slot.is_set).collect();
    for slot in &textures {
        shader.set_texture(&slot.name, &Image::coordinates())?;
    }
    let lists = [
        (
            "--constant sets these, which are 0.25, 0.5, 0.75, 1",
            constants.iter().map(|one| &*one.name).collect(),
        ),
        (
            "--texture sets these, which show their coordinates",
            textures.iter().map(|one| &*one.name).collect(),
        ),
    ];
    let lists: Vec<(&str, Vec<&str>)> =
        lists.into_iter().filter(|(_, names): &(_, Vec<&str>)| !names.is_empty()).collect();
    let d = Diagnostic::error("picture-default", "inputs without a value have defaults");
    let d = lists.iter().fold(d, |d, (what, names)| d.note(format!("{what}: {}", names.join(", "))));
    Ok((!lists.is_empty()).then_some(Diagnostic { severity: Severity::Note, ..d }))
}
