//! Material of a run in saved sessions of the debugger.

use crate::input::Input;
use crate::material::{Material, Ready};
use crate::options::Global;
use crate::raw::RawWords;
use crate::stop::Stop;
use clap::ValueEnum;
use shisa::Settings;
use shisa::data::debug::{Captured, Saved, SavedFile, SavedPicture, captured};
use shisa::data::pictures::replayed;
use shisa::diag::{Diagnostic, escape};
use shisa::ir::Stage;
use shisa_verbs::{IsaName, StageName};
use std::collections::BTreeMap;

/// The prefix of options that are choices of behaviour.
const CHOICE: &str = "set.";

/// A session that starts at the beginning of a run. `global` has the choices that `material` was opened with.
pub(crate) fn session(material: &Material, run: usize, global: &Global) -> Result<Saved, Stop> {
    let Material { inputs, words, program, text, settings, .. } = material;
    let mut options = options(*program, settings, global)?;
    if let Some(words) = words {
        options.insert("entry".into(), words.entry.to_string());
        options.extend(words.is_geometry.then(|| ("geometry".into(), "true".into())));
    }
    Ok(Saved {
        files: inputs.iter().map(file).collect(),
        companion: words.as_ref().map(|words| file(&words.descriptors)),
        options,
        input: text.clone(),
        run,
        ..Saved::default()
    })
}

/// A session of a picture, whose program was selected in a file and has constants and textures of an input.
pub(crate) fn of_picture(
    (input, program): (&Input, Option<usize>),
    text: Option<&str>,
    picture: SavedPicture,
    settings: &Settings,
    global: &Global,
) -> Result<Saved, Stop> {
    Ok(Saved {
        files: vec![file(input)],
        options: options(program, settings, global)?,
        input: text.map(str::to_owned).unwrap_or_default(),
        picture: Some(picture),
        run: 1,
        ..Saved::default()
    })
}

/// A file of programs.
fn file(input: &Input) -> SavedFile {
    SavedFile { name: input.name.clone(), selected: input.which.clone(), bytes: input.bytes.clone() }
}

/// How programs were opened.
fn options(
    program: Option<usize>,
    settings: &Settings,
    global: &Global,
) -> Result<BTreeMap<String, String>, Stop> {
    let mut options = BTreeMap::new();
    let mut set =
        |name: &str, value: Option<String>| options.extend(value.map(|value| (name.to_owned(), value)));
    set("isa", settings.isa.map(|isa| isa.name().to_owned()));
    set("stage", settings.stage.map(|stage| stage.name().to_owned()));
    set("version", settings.version.map(|version| version.to_string()));
    set("lenient", settings.lenient.then(|| "true".to_owned()));
    set("program", program.map(|number| number.to_string()));
    for (name, value) in global.choices()? {
        set(&format!("{CHOICE}{name}"), Some(value.to_owned()));
    }
    Ok(options)
}

/// The runs of a saved session.
pub(crate) fn runs(saved: &Saved, ready: &Ready<'_>) -> shisa::Result<Vec<Captured>> {
    let Some(picture) = &saved.picture else {
        return captured(|trace| (ready.run)(ready.text, trace));
    };
    let program = ready.program.cloned().map_or_else(|| ready.file.program(1), Ok)?;
    let text = Some(ready.text).filter(|text| !text.is_empty());
    let mut shader = program.shader(text)?;
    Ok(vec![replayed(&mut *shader, picture, &ready.settings.limits)?])
}

/// The material of a saved session, opened with the limits of `settings`. Its input names no files: a session of somebody
/// else reads none.
pub(crate) fn material(saved: Saved, mut settings: Settings) -> Result<Material, Diagnostic> {
    let (mut program, mut entry, mut is_geometry) = (None, 0, false);
    for (name, value) in &saved.options {
        let wrong = || {
            let (name, value) = (escape(name), escape(value));
            Diagnostic::error(
                "debug-session",
                format!("option \"{name}\" of the saved session is \"{value}\""),
            )
            .help("options are those of `shisa debug` that concern how programs are read")
        };
        let known = match (name.as_str(), value.as_str()) {
            ("isa", name) => IsaName::from_str(name, false).map(|isa| settings.isa = Some(isa.0)).is_ok(),
            ("stage", name) => {
                StageName::from_str(name, false).map(|name| settings.stage = Some(Stage::from(name))).is_ok()
            }
            ("version", number) => number.parse().map(|number| settings.version = Some(number)).is_ok(),
            ("program", number) => number.parse().map(|number| program = Some(number)).is_ok(),
            ("entry", number) => number.parse().map(|number| entry = number).is_ok(),
            ("lenient", "true") => {
                settings.lenient = true;
                true
            }
            ("geometry", "true") => {
                is_geometry = true;
                true
            }
            (name, value) => name.strip_prefix(CHOICE).is_some_and(|name| settings.set(name, value)),
        };
        if !known {
            return Err(wrong());
        }
    }
    let input =
        |file: SavedFile| Input { name: file.name, which: file.selected, bytes: file.bytes, found: false };
    let words = saved.companion.map(|file| RawWords { descriptors: input(file), entry, is_geometry });
    let json = Input { name: "input".into(), which: None, bytes: saved.input.clone().into(), found: false };
    let inputs = saved.files.into_iter().map(input).collect();
    Ok(Material { inputs, words, program, json, text: saved.input, settings })
}
