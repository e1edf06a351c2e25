//! Constants and textures of programs.

use super::png;
use crate::contents;
use crate::input::Input;
use crate::report::Report;
use crate::stop::Stop;
use shisa::data::pictures::{Image, Noted, Shader};
use shisa::diag::Limits;
use shisa::{Error, Program};
use shisa_verbs::{NamedNumbers, set_values};
use std::ffi::OsString;

/// Where constants and textures come from.
#[derive(Debug, clap::Args)]
pub(crate) struct Inputs {
    /// Take constants and textures from an input of `shisa run`; - is standard input
    #[arg(long, value_name = "IN.json")]
    input: Option<OsString>,
    /// The value of a constant, such as fc0=1,0,0,1, or of some components: fc0.w=0.5. By default they are
    /// 0.25,0.5,0.75,1
    #[arg(long = "constant", value_name = "NAME=X,Y,…")]
    constants: Vec<NamedNumbers>,
    /// The image of a texture, such as fs0=wood.png. By default a pattern that shows its coordinates
    #[arg(long = "texture", value_name = "NAME=FILE.png", value_parser = texture)]
    textures: Vec<(String, OsString)>,
}

/// The name and the file of a texture.
fn texture(text: &str) -> Result<(String, OsString), String> {
    let (name, file) = text.split_once('=').ok_or("expected NAME=FILE.png")?;
    Ok((name.into(), file.into()))
}

/// The inputs, read.
#[derive(Debug)]
pub(crate) struct Given {
    json: Option<(Input, String)>,
    constants: Vec<NamedNumbers>,
    textures: Vec<(String, Image)>,
}

impl Inputs {
    /// The inputs of a file only.
    pub(crate) fn of_file(input: Option<OsString>) -> Inputs {
        Inputs { input, constants: Vec::new(), textures: Vec::new() }
    }

    /// Whether it is read from standard input.
    pub(crate) fn is_standard(&self) -> bool {
        self.input.as_ref().is_some_and(|name| name == "-")
    }

    /// Reads the files.
    ///
    /// # Errors
    /// Files that cannot be read, and images that are no PNG.
    pub(crate) fn read(&self, limits: &Limits) -> Result<Given, Stop> {
        let json = self.input.as_ref().map(|name| {
            let input = Input::json(name, limits.file)?;
            let text = contents::filled(input.text()?, name, limits.file)?.into_owned();
            Ok::<_, Stop>((input, text))
        });
        let image = |(name, file): &(String, OsString)| {
            Ok((name.clone(), png::read(&Input::read(file, limits.file)?, limits)?))
        };
        Ok(Given {
            json: json.transpose()?,
            constants: self.constants.clone(),
            textures: self.textures.iter().map(image).collect::<Result<_, Stop>>()?,
        })
    }
}

impl Given {
    /// The text of the JSON.
    pub(crate) fn text(&self) -> Option<&str> {
        self.json.as_ref().map(|(_, text)| &**text)
    }

    /// A program with the constants and textures of the JSON. `None` if it has no pictures, which has been reported.
    pub(crate) fn shader(
        &self,
        program: shisa::Result<Program<'_>>,
        input: &Input,
        report: &mut Report,
    ) -> Option<Noted> {
        match program.and_then(|program| program.shader(self.text())) {
            Ok(made) => Some(Noted::new(made)),
            Err(e) => {
                for d in e.diagnostics {
                    let json = self.json.as_ref().filter(|_| d.code == "run-input");
                    report.all(&[d], json.map_or(input, |(json, _)| json));
                }
                None
            }
        }
    }

    /// Sets the given constants and textures of all programs that have them.
    ///
    /// # Errors
    /// `picture-input` for one that no program has.
    pub(crate) fn set(&self, shaders: &mut [&mut dyn Shader]) -> Result<(), Error> {
        set_values(shaders, &self.constants, &self.textures)
    }
}
