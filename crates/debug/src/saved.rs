//! Sessions as files.
//!
//! A saved session is a JSON object that has everything its run needs, so it can be opened where the program's files are
//! not: `format` and `version`, the `files` of the programs with their bytes in base64, the `options` they were opened
//! with, the `input` as text, the number of the `run`, and the state: `step`, `lane` and `breakpoints`. The run of a picture's
//! program has one more part, `picture`. Limits are not saved: who opens a file decides how much work it may cause.

mod picture;

pub use picture::{
    MOST_CONSTANTS, MOST_INPUTS, MOST_LANES, MOST_TEXTURES, SavedConstant, SavedInput, SavedPicture,
    SavedTexture,
};

use crate::commands::{Point, State};
use serde_json::{Map, Value, json};
use shisa_diag::Diagnostic;
use shisa_run::{from_base64, to_base64};
use std::collections::BTreeMap;

/// The name of the format.
pub const FORMAT: &str = "shisa-debug-session";

/// The version of the format.
pub const VERSION: u64 = 1;

/// The largest number of programs' files of a saved session.
pub const MOST_FILES: usize = 16;

/// The largest number of breakpoints of a saved session.
pub const MOST_POINTS: usize = 1000;

/// A file of a saved session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SavedFile {
    /// Its name, which is shown, and which can determine the language of a source.
    pub name: String,
    /// The program that was selected in it: the text after `#`.
    pub selected: Option<String>,
    /// Its contents.
    pub bytes: Vec<u8>,
}

/// A saved session.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Saved {
    /// The files of the programs, at least one and at most [`MOST_FILES`].
    pub files: Vec<SavedFile>,
    /// A file that belongs to the first one, such as operand descriptors of PICA200.
    pub companion: Option<SavedFile>,
    /// How the files were opened, as names and values that the front end defines.
    pub options: BTreeMap<String, String>,
    /// The input of the run, as the text of a JSON document that names no files; for a picture, what it has besides
    /// [`Saved::picture`], and empty if there is none.
    pub input: String,
    /// The lanes of a picture's program, in place of those of the input, and what the program was given.
    pub picture: Option<SavedPicture>,
    /// Which run of the input, from 1.
    pub run: usize,
    /// The position and the breakpoints.
    pub state: State,
}

impl Saved {
    /// The text of the file.
    pub fn to_json(&self) -> String {
        let file = |file: &SavedFile| json!({"name": file.name, "selected": file.selected, "bytes": to_base64(&file.bytes)});
        let point = |point: &Point| json!({"command": point.command, "enabled": point.enabled});
        let State { step, lane, points } = &self.state;
        let mut value = json!({
            "format": FORMAT, "version": VERSION,
            "files": self.files.iter().map(file).collect::<Vec<_>>(),
            "companion": self.companion.as_ref().map(file),
            "options": self.options, "input": self.input, "run": self.run, "step": step, "lane": lane,
            "breakpoints": points.iter().map(point).collect::<Vec<_>>(),
        });
        if let (Some(picture), Some(parts)) = (&self.picture, value.as_object_mut()) {
            parts.insert("picture".into(), picture.to_json());
        }
        format!("{value:#}\n")
    }

    /// Reads the text of a file.
    ///
    /// # Errors
    /// `debug-session` if the text is no saved session of this version, lacks a part, has an unknown one, or exceeds
    /// [`MOST_FILES`], [`MOST_POINTS`], [`MOST_LANES`], [`MOST_INPUTS`], [`MOST_CONSTANTS`] or [`MOST_TEXTURES`].
    pub fn from_json(text: &str) -> Result<Saved, Diagnostic> {
        let value: Value =
            serde_json::from_str(text).map_err(|e| wrong(format!("a saved session is JSON: {e}")))?;
        let format = value.get("format").and_then(Value::as_str);
        if format != Some(FORMAT) {
            return Err(wrong(format!("a saved session has \"format\": \"{FORMAT}\"")));
        }
        let version = &value["version"];
        if version.as_u64() != Some(VERSION) {
            let found = shisa_diag::escape(&version.to_string());
            return Err(wrong(format!("the saved session has version {found}; the known one is {VERSION}")));
        }
        let mut parts = Parts::of("the saved session", &value)?;
        for known in ["format", "version"] {
            parts.take(known);
        }
        let files = parts.list("files", MOST_FILES, file)?;
        if files.is_empty() {
            return Err(wrong("the saved session has no file"));
        }
        let saved = Saved {
            files,
            companion: parts.take("companion").filter(|value| !value.is_null()).map(file).transpose()?,
            options: parts.options()?,
            input: parts.text("input")?,
            picture: parts.take("picture").map(SavedPicture::from_json).transpose()?,
            run: parts.number("run")? as usize,
            state: State {
                step: parts.number("step")?,
                lane: parts.optional_number("lane")?.map(|lane| lane as usize),
                points: parts.list("breakpoints", MOST_POINTS, point)?,
            },
        };
        parts.done()?;
        if saved.picture.is_some() && saved.files.len() > 1 {
            let count = saved.files.len();
            return Err(wrong(format!("the saved session of a picture has {count} files; one is allowed")));
        }
        Ok(saved)
    }
}

fn wrong(text: impl Into<String>) -> Diagnostic {
    Diagnostic::error("debug-session", text)
        .help("`save FILE` in `shisa debug` writes files that `shisa debug --session FILE` opens")
}

fn file(value: &Value) -> Result<SavedFile, Diagnostic> {
    let mut parts = Parts::of("a file of the saved session", value)?;
    let name = parts.text("name")?;
    let selected = parts.take("selected").filter(|value| !value.is_null());
    let selected = selected.map(|value| string("selected", value)).transpose()?;
    let bytes = base64(&name, &parts.text("bytes")?)?;
    parts.done()?;
    Ok(SavedFile { name, selected, bytes })
}

fn base64(name: &str, text: &str) -> Result<Vec<u8>, Diagnostic> {
    let name = || shisa_diag::escape(name);
    from_base64(text).ok_or_else(|| wrong(format!("the bytes of \"{}\" are not base64", name())))
}

fn point(value: &Value) -> Result<Point, Diagnostic> {
    let mut parts = Parts::of("a breakpoint of the saved session", value)?;
    let command = parts.text("command")?;
    let enabled = parts.take("enabled").and_then(Value::as_bool);
    let enabled = enabled.ok_or_else(|| wrong("\"enabled\" of a breakpoint is true or false"))?;
    parts.done()?;
    Ok(Point { command, enabled })
}

fn string(name: &str, value: &Value) -> Result<String, Diagnostic> {
    let text =
        value.as_str().ok_or_else(|| wrong(format!("\"{name}\" of the saved session is not a text")))?;
    Ok(text.to_owned())
}

/// The parts of an object that have not been read yet.
struct Parts<'v> {
    what: &'static str,
    rest: BTreeMap<&'v str, &'v Value>,
}

impl<'v> Parts<'v> {
    fn of(what: &'static str, value: &'v Value) -> Result<Parts<'v>, Diagnostic> {
        let object: &Map<String, Value> =
            value.as_object().ok_or_else(|| wrong(format!("{what} is not an object")))?;
        Ok(Parts { what, rest: object.iter().map(|(name, value)| (name.as_str(), value)).collect() })
    }

    fn take(&mut self, name: &str) -> Option<&'v Value> {
        self.rest.remove(name)
    }

    fn needed(&mut self, name: &str) -> Result<&'v Value, Diagnostic> {
        let value = self.take(name);
        value.ok_or_else(|| wrong(format!("{} lacks \"{name}\"", self.what)))
    }

    fn text(&mut self, name: &str) -> Result<String, Diagnostic> {
        string(name, self.needed(name)?)
    }

    fn number(&mut self, name: &str) -> Result<u64, Diagnostic> {
        let value = self.needed(name)?;
        value.as_u64().ok_or_else(|| wrong(format!("\"{name}\" of the saved session is not a number from 0")))
    }

    fn optional_number(&mut self, name: &str) -> Result<Option<u64>, Diagnostic> {
        match self.rest.get(name).is_none_or(|value| value.is_null()) {
            true => {
                self.take(name);
                Ok(None)
            }
            false => self.number(name).map(Some),
        }
    }

    fn list<T>(
        &mut self,
        name: &str,
        most: usize,
        read: impl Fn(&Value) -> Result<T, Diagnostic>,
    ) -> Result<Vec<T>, Diagnostic> {
        let list = self.needed(name)?.as_array();
        let list = list.ok_or_else(|| wrong(format!("\"{name}\" of the saved session is not a list")))?;
        if list.len() > most {
            let count = list.len();
            return Err(wrong(format!("the saved session has {count} {name}; at most {most} are allowed")));
        }
        list.iter().map(read).collect()
    }

    fn options(&mut self) -> Result<BTreeMap<String, String>, Diagnostic> {
        let parts = Parts::of("\"options\" of the saved session", self.needed("options")?)?;
        parts.rest.iter().map(|(name, value)| Ok(((*name).to_owned(), string(name, value)?))).collect()
    }

    fn done(self) -> Result<(), Diagnostic> {
        match self.rest.keys().next() {
            Some(name) => {
                Err(wrong(format!("{} has an unknown part \"{}\"", self.what, shisa_diag::escape(name))))
            }
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests;
