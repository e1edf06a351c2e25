//! Runs of pictures in saved sessions.
//!
//! The program of a picture runs with lanes that an input of `shisa run` cannot state in all instruction sets, such as pixels
//! that only complete a quad. The optional part `picture` of a saved session has them: `lanes` and `grid`, the numbers of the
//! `helpers`, and the `inputs` with a text of 32-bit words for each lane. `constants` and `textures` are what the program was
//! given besides the session's `input`, in this order.

use super::{Parts, wrong};
use serde_json::{Value, json};
use shisa_diag::Diagnostic;
use shisa_run::to_base64;

/// The largest number of lanes of a saved picture.
pub const MOST_LANES: usize = 64;

/// The largest number of inputs of a saved picture.
pub const MOST_INPUTS: usize = 1024;

/// The largest number of constants of a saved picture.
pub const MOST_CONSTANTS: usize = 1 << 16;

/// The largest number of textures of a saved picture.
pub const MOST_TEXTURES: usize = 256;

/// The run of a picture's program: what the program was given, and its lanes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SavedPicture {
    /// The number of lanes, from 1 to [`MOST_LANES`].
    pub lanes: usize,
    /// Columns and rows of the lanes as pixels.
    pub grid: Option<[usize; 2]>,
    /// The numbers of the lanes that only complete quads, in ascending order.
    pub helpers: Vec<usize>,
    /// The inputs of the program.
    pub inputs: Vec<SavedInput>,
    /// The constants that were set, in this order.
    pub constants: Vec<SavedConstant>,
    /// The textures that were set, in this order.
    pub textures: Vec<SavedTexture>,
}

/// An input of a picture's program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SavedInput {
    /// Its name.
    pub name: String,
    /// For each lane the bits of its components.
    pub values: Vec<Vec<u32>>,
}

/// A constant of a picture's program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SavedConstant {
    /// Its name.
    pub name: String,
    /// The first component that was set.
    pub first: usize,
    /// The bits of the components.
    pub values: Vec<u32>,
}

/// A texture of a picture's program.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SavedTexture {
    /// Its name.
    pub name: String,
    /// Pixels of a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// Red, green, blue and alpha of each pixel, row by row from the top.
    pub bytes: Vec<u8>,
}

impl SavedPicture {
    /// The part of the file.
    pub(super) fn to_json(&self) -> Value {
        let input = |input: &SavedInput| json!({"name": input.name, "values": input.values.iter().map(|lane| text(lane)).collect::<Vec<_>>()});
        let constant = |constant: &SavedConstant| json!({"name": constant.name, "first": constant.first, "values": text(&constant.values)});
        let texture = |texture: &SavedTexture| json!({"name": texture.name, "width": texture.width, "height": texture.height, "bytes": to_base64(&texture.bytes)});
        json!({
            "lanes": self.lanes,
            "grid": self.grid.map(|[width, height]| json!({"width": width, "height": height})),
            "helpers": self.helpers,
            "inputs": self.inputs.iter().map(input).collect::<Vec<_>>(),
            "constants": self.constants.iter().map(constant).collect::<Vec<_>>(),
            "textures": self.textures.iter().map(texture).collect::<Vec<_>>(),
        })
    }

    /// Reads the part of a file.
    pub(super) fn from_json(value: &Value) -> Result<SavedPicture, Diagnostic> {
        let mut parts = Parts::of("the picture of the saved session", value)?;
        let lanes = parts.number("lanes")?;
        let lanes = usize::try_from(lanes).ok().filter(|lanes| (1..=MOST_LANES).contains(lanes)).ok_or_else(
            || {
                wrong(format!(
                    "the picture of the saved session has {lanes} lanes; 1 to {MOST_LANES} are allowed"
                ))
            },
        )?;
        let picture = SavedPicture {
            lanes,
            grid: parts
                .take("grid")
                .filter(|grid| !grid.is_null())
                .map(|value| grid(value, lanes))
                .transpose()?,
            helpers: parts.list("helpers", lanes, |value| helper(value, lanes))?,
            inputs: parts.list("inputs", MOST_INPUTS, |value| input(value, lanes))?,
            constants: parts.list("constants", MOST_CONSTANTS, constant)?,
            textures: parts.list("textures", MOST_TEXTURES, texture)?,
        };
        parts.done()?;
        Ok(picture)
    }
}

/// Words as hexadecimal digits.
fn text(words: &[u32]) -> String {
    words.iter().map(|word| format!("{word:08x}")).collect::<Vec<_>>().join(" ")
}

/// The words of a text.
fn words(name: &str, text: &str) -> Result<Vec<u32>, Diagnostic> {
    let word = |digits: &str| {
        let is_word = digits.len() == 8 && digits.bytes().all(|digit| digit.is_ascii_hexdigit());
        let word = u32::from_str_radix(digits, 16).ok().filter(|_| is_word);
        word.ok_or_else(|| {
            let [name, digits] = [name, digits].map(shisa_diag::escape);
            wrong(format!("a value of \"{name}\" is \"{digits}\"; values are 8 hexadecimal digits each"))
        })
    };
    text.split_ascii_whitespace().map(word).collect()
}

fn grid(value: &Value, lanes: usize) -> Result<[usize; 2], Diagnostic> {
    let mut parts = Parts::of("the grid of the saved session", value)?;
    let [width, height] = [parts.number("width")?, parts.number("height")?];
    parts.done()?;
    if width.checked_mul(height) != Some(lanes as u64) {
        return Err(wrong(format!(
            "the grid of the saved session has {width} by {height} pixels for {lanes} lanes"
        )));
    }
    Ok([width as usize, height as usize])
}

fn helper(value: &Value, lanes: usize) -> Result<usize, Diagnostic> {
    let number = value.as_u64().filter(|number| *number < lanes as u64);
    number.map(|number| number as usize).ok_or_else(|| {
        let found = shisa_diag::escape(&value.to_string());
        wrong(format!("a helper of the saved session is {found}; lanes are 0 to {}", lanes - 1))
    })
}

fn input(value: &Value, lanes: usize) -> Result<SavedInput, Diagnostic> {
    let mut parts = Parts::of("an input of the saved session", value)?;
    let name = parts.text("name")?;
    let values = parts.list("values", lanes, |value| words(&name, &super::string("values", value)?))?;
    parts.done()?;
    if values.len() != lanes {
        let (name, count) = (shisa_diag::escape(&name), values.len());
        return Err(wrong(format!(
            "the input \"{name}\" of the saved session has {count} values for {lanes} lanes"
        )));
    }
    Ok(SavedInput { name, values })
}

fn constant(value: &Value) -> Result<SavedConstant, Diagnostic> {
    let mut parts = Parts::of("a constant of the saved session", value)?;
    let name = parts.text("name")?;
    let first = parts.number("first")? as usize;
    let values = words(&name, &parts.text("values")?)?;
    parts.done()?;
    Ok(SavedConstant { name, first, values })
}

fn texture(value: &Value) -> Result<SavedTexture, Diagnostic> {
    let mut parts = Parts::of("a texture of the saved session", value)?;
    let name = parts.text("name")?;
    let [width, height] = [parts.number("width")?, parts.number("height")?].map(|size| size as usize);
    let bytes = super::base64(&name, &parts.text("bytes")?)?;
    parts.done()?;
    Ok(SavedTexture { name, width, height, bytes })
}
