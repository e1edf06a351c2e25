//! Programs that note what they are given, so that a debugger can save a run and repeat it elsewhere.

use crate::counts::Counts;
use crate::faults::Result;
use crate::image::Image;
use crate::shader::{Constant, Lanes, Ran, Shader, Slot};
use shisa_debug::{Captured, SavedConstant, SavedInput, SavedPicture, SavedTexture};
use shisa_diag::{Diagnostic, Limits, escape};
use shisa_eval::Grid;
use shisa_ir::{Io, Stage};

/// A program that notes the constants and textures that are set, and the lanes that a debugger runs.
pub struct Noted {
    shader: Box<dyn Shader>,
    picture: SavedPicture,
}

impl Noted {
    /// A program that has not been given anything.
    pub fn new(shader: Box<dyn Shader>) -> Noted {
        Noted { shader, picture: SavedPicture::default() }
    }

    /// What it was given, with the lanes of the latest run for a debugger. It has no lanes if there was none.
    pub fn picture(&self) -> &SavedPicture {
        &self.picture
    }
}

impl Shader for Noted {
    fn stage(&self) -> Stage {
        self.shader.stage()
    }

    fn inputs(&self) -> &[Io] {
        self.shader.inputs()
    }

    fn outputs(&self) -> &[Io] {
        self.shader.outputs()
    }

    fn constants(&self) -> Vec<Constant> {
        self.shader.constants()
    }

    fn textures(&self) -> Vec<Slot> {
        self.shader.textures()
    }

    fn set_constant(&mut self, name: &str, first: usize, values: &[f32]) -> Result<()> {
        self.shader.set_constant(name, first, values)?;
        let values: Vec<u32> = values.iter().map(|value| value.to_bits()).collect();
        // Frames of an animation set the same components again and again.
        let is_replaced =
            |old: &SavedConstant| old.name == name && old.first == first && old.values.len() == values.len();
        self.picture.constants.retain(|old| !is_replaced(old));
        self.picture.constants.push(SavedConstant { name: name.to_owned(), first, values });
        Ok(())
    }

    fn set_texture(&mut self, name: &str, image: &Image) -> Result<()> {
        self.shader.set_texture(name, image)?;
        let (width, height, bytes) = (image.width(), image.height(), image.bytes().to_vec());
        self.picture.textures.retain(|old| old.name != name);
        self.picture.textures.push(SavedTexture { name: name.to_owned(), width, height, bytes });
        Ok(())
    }

    fn has_negative_depth(&self) -> bool {
        self.shader.has_negative_depth()
    }

    fn run(&mut self, lanes: &Lanes<'_>, counts: Option<&mut Counts>) -> Result<Ran> {
        self.shader.run(lanes, counts)
    }

    fn captured(&mut self, lanes: &Lanes<'_>) -> Result<Captured> {
        let run = self.shader.captured(lanes)?;
        let input = |(io, bits): (&Io, &Vec<u32>)| SavedInput {
            name: io.name.to_string(),
            values: bits.chunks(usize::from(io.count).max(1)).map(<[u32]>::to_vec).collect(),
        };
        let helpers = lanes.helpers.iter().take(lanes.count).enumerate();
        self.picture.lanes = lanes.count;
        self.picture.grid = lanes.grid.map(|grid| [grid.width, grid.height]);
        self.picture.helpers = helpers.filter(|(_, helps)| **helps).map(|(lane, _)| lane).collect();
        self.picture.inputs = self.shader.inputs().iter().zip(lanes.inputs).map(input).collect();
        Ok(run)
    }
}

/// The run of a saved picture, for a debugger. `shader` is the picture's program, with the constants and textures of the
/// session's input.
///
/// # Errors
/// `debug-session` if the program has other inputs; `picture-input` if it has no such constant or texture; `limit-exceeded`;
/// what the evaluator refuses.
pub fn replayed(shader: &mut dyn Shader, picture: &SavedPicture, limits: &Limits) -> Result<Captured> {
    for SavedConstant { name, first, values } in &picture.constants {
        let values: Vec<f32> = values.iter().map(|bits| f32::from_bits(*bits)).collect();
        shader.set_constant(name, *first, &values)?;
    }
    for SavedTexture { name, width, height, bytes } in &picture.textures {
        shader.set_texture(name, &Image::new(*width, *height, bytes.clone(), limits)?)?;
    }
    let inputs = inputs(shader.inputs(), &picture.inputs)?;
    let helpers: Vec<bool> = (0..picture.lanes).map(|lane| picture.helpers.contains(&lane)).collect();
    let grid = picture.grid.map(|[width, height]| Grid { width, height });
    shader.captured(&Lanes { count: picture.lanes, grid, helpers: &helpers, inputs: &inputs })
}

/// The bits of a program's inputs, lane after lane, if the saved ones are its own.
fn inputs(own: &[Io], saved: &[SavedInput]) -> Result<Vec<Vec<u32>>> {
    let fault = |text: String| vec![Diagnostic::error("debug-session", text)];
    let expected: Vec<&str> = own.iter().map(|io| &*io.name).collect();
    let found: Vec<&str> = saved.iter().map(|input| input.name.as_str()).collect();
    if found != expected {
        let [found, expected] = [found, expected].map(|names| listed(&names));
        return Err(fault(format!("the saved session has inputs {found}; the program reads {expected}")));
    }
    let bits = |(io, input): (&Io, &SavedInput)| {
        let count = usize::from(io.count);
        match input.values.iter().find(|value| value.len() != count) {
            Some(value) => {
                let (name, found) = (&io.name, value.len());
                Err(fault(format!("a value of {name} has {found} components; the program reads {count}")))
            }
            None => Ok(input.values.concat()),
        }
    };
    own.iter().zip(saved).map(bits).collect()
}

/// Names in a message.
fn listed(names: &[&str]) -> String {
    match names {
        [] => "none".into(),
        _ => escape(&names.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::Copy;

    #[test]
    fn what_is_set_again_replaces_what_was_set_before() {
        let copy = Copy { stage: Stage::Fragment, inputs: Vec::new(), outputs: Vec::new(), most: 0.0 };
        let mut noted = Noted::new(Box::new(copy));
        let image = |red: u8| Image::new(1, 1, vec![red, 0, 0, 255], &Limits::default()).unwrap();
        for (name, red) in [("t0", 1), ("t1", 2), ("t0", 3)] {
            noted.set_texture(name, &image(red)).unwrap();
        }
        let textures: Vec<_> = noted
            .picture()
            .textures
            .iter()
            .map(|t| (t.name.as_str(), t.width, t.height, t.bytes[0]))
            .collect();
        assert_eq!(textures, [("t1", 1, 1, 2), ("t0", 1, 1, 3)]);
        for (name, first, values) in [
            ("c0", 0, &[1.0][..]),
            ("c0", 1, &[2.0]),
            ("c0", 0, &[3.0, 4.0]),
            ("c1", 0, &[5.0]),
            ("c0", 0, &[6.0]),
        ] {
            noted.set_constant(name, first, values).unwrap();
        }
        let values = |values: &[u32]| values.iter().map(|bits| f32::from_bits(*bits)).collect::<Vec<_>>();
        let constants: Vec<_> =
            noted.picture().constants.iter().map(|c| (c.name.as_str(), c.first, values(&c.values))).collect();
        let expected =
            [("c0", 1, vec![2.0]), ("c0", 0, vec![3.0, 4.0]), ("c1", 0, vec![5.0]), ("c0", 0, vec![6.0])];
        assert_eq!(constants, expected);
    }
}
