//! Reading files and standard input.

use crate::stop::Stop;
use shisa::diag::{Limit, Limits, escape, other_unicode, without_mark};
use std::ffi::OsStr;
use std::fs;
use std::io::{self, BufRead, BufReader, Read};

/// An input file.
#[derive(Debug)]
pub(crate) struct Input {
    /// Its name as given, without the program suffix; `-` is standard input. U+FFFD replaces what is not UTF-8.
    pub(crate) name: String,
    /// The program that the name selects: the text after `#`.
    pub(crate) which: Option<String>,
    /// Its contents.
    pub(crate) bytes: Vec<u8>,
    /// Whether it was found in a directory, rather than named.
    pub(crate) found: bool,
}

impl Input {
    /// Reads a file of at most `limit` bytes; `-` is standard input. `FILE#3` and `FILE#NAME` select one of its
    /// programs, unless a file has that name.
    pub(crate) fn read(name: impl AsRef<OsStr>, limit: usize) -> Result<Input, Stop> {
        Input::bounded(name.as_ref(), |_| (Limit::File, limit))
    }

    /// Reads a file of programs as [`Input::read`] does. A regular file may be as large as the limit `memory`: where
    /// only parts of it are taken, the limit `file` bounds these parts.
    ///
    /// Files are read and not mapped. Whoever shortens a mapped file ends the process that reads it.
    pub(crate) fn programs(name: impl AsRef<OsStr>, limits: &Limits) -> Result<Input, Stop> {
        Input::bounded(name.as_ref(), |regular| match regular && limits.memory > limits.file {
            true => (Limit::Memory, limits.memory),
            false => (Limit::File, limits.file),
        })
    }

    /// Reads a file; `bound` receives whether it is a regular file, and returns how many bytes it may have.
    fn bounded(name: &OsStr, bound: impl Fn(bool) -> (Limit, usize)) -> Result<Input, Stop> {
        let (name, which) = selection(name);
        let failed = |e| Stop::file("read", name, &e);
        let (source, size): (Box<dyn Read>, Option<u64>) = match name.to_str() {
            Some("-") => (Box::new(io::stdin().lock()), None),
            _ => {
                let file = fs::File::open(name).map_err(failed)?;
                let size = file.metadata().ok().filter(fs::Metadata::is_file).map(|data| data.len());
                (Box::new(file), size)
            }
        };
        let (limit, most) = bound(size.is_some());
        let room = (most as u64).saturating_add(1);
        // Without a known size the space doubles where it is full.
        let space = size.filter(|size| *size <= most as u64).unwrap_or(0);
        let mut bytes = Vec::with_capacity(usize::try_from(space).unwrap_or(0));
        source.take(room).read_to_end(&mut bytes).map_err(failed)?;
        let name = name.to_string_lossy().into_owned();
        if bytes.len() > most {
            let (name, limit) = (escape(&name), limit.name());
            return Err(Stop::File(format!(
                "{name} is larger than {most} bytes; --limit {limit}=BYTES raises that"
            )));
        }
        Ok(Input { name, which, bytes, found: false })
    }

    /// Does the same for JSON, without a byte-order mark.
    pub(crate) fn json(name: impl AsRef<OsStr>, limit: usize) -> Result<Input, Stop> {
        let mut input = Input::read(name, limit)?;
        input.bytes.drain(..input.bytes.len() - without_mark(&input.bytes).len());
        Ok(input)
    }

    /// The contents as text.
    pub(crate) fn text(&self) -> Result<&str, Stop> {
        let name = || escape(&self.name);
        if let Some(encoding) = other_unicode(&self.bytes) {
            return Err(Stop::File(format!("{}: text in {encoding}; save it as UTF-8", name())));
        }
        std::str::from_utf8(&self.bytes).map_err(|e| {
            Stop::File(format!("{}: not text in UTF-8 ({e}); `shisa dis` disassembles a program", name()))
        })
    }

    /// The contents as text in any encoding that contains ASCII; U+FFFD replaces what is not UTF-8.
    pub(crate) fn lossy(&self) -> Result<std::borrow::Cow<'_, str>, Stop> {
        match other_unicode(&self.bytes) {
            Some(_) => self.text().map(Into::into),
            None => Ok(String::from_utf8_lossy(&self.bytes)),
        }
    }
}

/// The path of a file, and the program that the text after `#` selects.
fn selection(name: &OsStr) -> (&OsStr, Option<String>) {
    match halves(name) {
        Some((file, which)) if !fs::exists(name).unwrap_or(false) => (file, Some(which.into())),
        _ => (name, None),
    }
}

#[cfg(unix)]
fn halves(name: &OsStr) -> Option<(&OsStr, &str)> {
    use std::os::unix::ffi::OsStrExt;
    let bytes = name.as_bytes();
    let at = bytes.iter().rposition(|b| *b == b'#')?;
    Some((OsStr::from_bytes(bytes.get(..at)?), std::str::from_utf8(bytes.get(at + 1..)?).ok()?))
}

#[cfg(not(unix))]
fn halves(name: &OsStr) -> Option<(&OsStr, &str)> {
    let (file, which) = name.to_str()?.rsplit_once('#')?;
    Some((file.as_ref(), which))
}

/// A file to be read line by line; `-` is standard input.
pub(crate) fn lines(name: &OsStr) -> Result<Box<dyn BufRead>, Stop> {
    Ok(match name.to_str() {
        Some("-") => Box::new(BufReader::with_capacity(1 << 20, io::stdin().lock())),
        _ => {
            let file = fs::File::open(name).map_err(|e| Stop::file("read", name, &e))?;
            Box::new(BufReader::with_capacity(1 << 20, file))
        }
    })
}
