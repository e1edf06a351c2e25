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
    use super::Noted;
    use crate::testing::{Copy, io};
    use crate::{Image, Shader};
    use shisa_debug::{SavedConstant, SavedTexture};
    use shisa_diag::Limits;
    use shisa_ir::{Binding, Scalar, Stage};

    #[test]
    fn the_latest_constants_and_textures_are_noted() {
        let inputs = vec![io("v0", Scalar::F32, 4, Binding::Location(0))];
        let program = Copy { stage: Stage::Fragment, outputs: inputs.clone(), inputs, most: 1.0 };
        let mut noted = Noted::new(Box::new(program));
        let constants: [(&str, usize, &[f32]); 5] = [
            ("fc0", 0, &[1.0]),
            ("fc0", 1, &[2.0]),
            ("fc1", 0, &[3.0]),
            ("fc0", 0, &[4.0, 5.0]),
            ("fc0", 0, &[6.0]),
        ];
        for (name, first, values) in constants {
            noted.set_constant(name, first, values).unwrap();
        }
        // The last one replaces the first one, which has as many components.
        let saved = |(name, first, values): (&str, usize, &[f32])| SavedConstant {
            name: name.into(),
            first,
            values: values.iter().map(|value| value.to_bits()).collect(),
        };
        let [_, left @ ..] = constants.map(saved);
        assert_eq!(noted.picture().constants, left);
        for (name, red) in [("fs0", 1), ("fs1", 2), ("fs0", 3)] {
            let image = Image::new(1, 1, vec![red, 0, 0, 0], &Limits::default()).unwrap();
            noted.set_texture(name, &image).unwrap();
        }
        let saved = |(name, red): (&str, u8)| SavedTexture {
            name: name.into(),
            width: 1,
            height: 1,
            bytes: vec![red, 0, 0, 0],
        };
        assert_eq!(noted.picture().textures, [("fs1", 2), ("fs0", 3)].map(saved));
    }
}
