//! Reading files and standard input.

use crate::stop::Stop;
use std::fs;
use std::io::{self, BufRead, BufReader, Read};

/// An input file.
#[derive(Debug)]
pub(crate) struct Input {
    /// Its name as given, without the program suffix; `-` is standard input.
    pub(crate) name: String,
    /// The program that the name selects: the text after `#`.
    pub(crate) which: Option<String>,
    /// Its contents.
    pub(crate) bytes: Vec<u8>,
}

impl Input {
    /// Reads a file of at most `limit` bytes; `-` is standard input. `FILE#3` and `FILE#NAME` select one of its
    /// programs, unless a file has that name.
    pub(crate) fn read(name: &str, limit: usize) -> Result<Input, Stop> {
        let (name, which) = match name.rsplit_once('#') {
            Some((file, which)) if !fs::exists(name).unwrap_or(false) => (file, Some(which.to_owned())),
            _ => (name, None),
        };
        let mut bytes = Vec::new();
        let room = (limit as u64).saturating_add(1);
        let source: Box<dyn Read> = match name {
            "-" => Box::new(io::stdin().lock()),
            _ => Box::new(fs::File::open(name).map_err(|e| Stop::file("read", name, &e))?),
        };
        source.take(room).read_to_end(&mut bytes).map_err(|e| Stop::file("read", name, &e))?;
        if bytes.len() > limit {
            let name = shisa::diag::escape(name);
            return Err(Stop::Failed(format!(
                "{name} is larger than {limit} bytes; --limit file=BYTES raises that"
            )));
        }
        Ok(Input { name: name.to_owned(), which, bytes })
    }

    /// The contents as text.
    pub(crate) fn text(&self) -> Result<&str, Stop> {
        std::str::from_utf8(&self.bytes).map_err(|e| {
            let name = shisa::diag::escape(&self.name);
            Stop::Failed(format!("{name}: not text in UTF-8 ({e}); `shisa dis` disassembles a program"))
        })
    }
}

/// A file to be read line by line; `-` is standard input.
pub(crate) fn lines(name: &str) -> Result<Box<dyn BufRead>, Stop> {
    Ok(match name {
        "-" => Box::new(BufReader::with_capacity(1 << 20, io::stdin().lock())),
        _ => {
            let file = fs::File::open(name).map_err(|e| Stop::file("read", name, &e))?;
            Box::new(BufReader::with_capacity(1 << 20, file))
        }
    })
}
