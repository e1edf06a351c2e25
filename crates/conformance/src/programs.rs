//! The programs of the data, for tests and tools that need many programs and no results.

use crate::data::{file_name, stem};
use crate::{Data, Error};
use serde_json::Value;
use shisa_run::from_base64;

/// A program of the data.
#[derive(Clone, Debug)]
pub struct Program {
    /// A name for files and reports, whose ending is that of the file: `op_add.agalb`, `exec.12.agx`. Several programs
    /// of a set may share it.
    pub name: String,
    /// The file with the program.
    pub bytes: Vec<u8>,
}

/// Where the programs of a set are.
#[derive(Clone, Copy, Debug)]
enum Source {
    /// Files of a folder with this ending.
    Files(&'static str, &'static str),
    /// In each line of a file of JSON lines: the value at a pointer is a program as JSON.
    Json(&'static str, &'static str),
    /// In each line of a file of JSON lines: the field has a program in base64. The ending is that of such files.
    Base64(&'static str, &'static str, &'static str),
}

/// The sets of programs, each with its source.
const SETS: [(&str, Source); 9] = [
    ("agal/bin", Source::Files("agal/bin", ".agalb")),
    ("agal/errors", Source::Files("agal/errors", ".agalb")),
    ("pica200/bin", Source::Files("pica200/bin", ".shbin")),
    ("pica200/errors", Source::Files("pica200/errors/bin", ".shbin")),
    ("agx/exec", Source::Json("agx/exec.jsonl", "/programs/0")),
    ("agx/links", Source::Json("agx/links.jsonl", "/linked")),
    ("maxwell/glsl", Source::Base64("maxwell/glsl/shaders.jsonl", "dksh", ".dksh")),
    ("maxwell/cuda", Source::Base64("maxwell/cuda/cases.jsonl", "cubin", ".cubin")),
    ("maxwell/ptx", Source::Files("maxwell/ptx", ".cubin")),
];

/// The programs of a set such as `agal/bin`, in the order of the data.
///
/// # Errors
/// The set is unknown, its data is missing or not in its format, or a line has no program.
pub fn programs(data: &Data, set: &str) -> Result<Vec<Program>, Error> {
    let found = SETS.iter().find(|(name, _)| *name == set);
    let (_, source) = found.ok_or_else(|| format!("there is no set of programs {set}"))?;
    match *source {
        Source::Files(folder, ending) => {
            let names = data.list(folder, ending)?.into_iter();
            names
                .map(|name| Ok(Program { bytes: data.read(&name)?, name: file_name(&name).to_owned() }))
                .collect()
        }
        Source::Json(file, pointer) => {
            let lines = (1..).zip(data.values(file)?);
            let program = |(number, case): (usize, Value)| {
                let value =
                    case.pointer(pointer).ok_or_else(|| format!("{file}:{number} has no {pointer}"))?;
                let name = format!("{}.{number}.agx", stem(file));
                Ok(Program { name, bytes: value.to_string().into_bytes() })
            };
            lines.map(program).collect()
        }
        Source::Base64(file, field, ending) => {
            let lines = (1..).zip(data.values(file)?);
            let program = |(number, case): (usize, Value)| {
                let text = |key| case.get(key).and_then(Value::as_str);
                let bytes = text(field).and_then(from_base64);
                let bytes = bytes.ok_or_else(|| format!("{file}:{number} has no {field}"))?;
                let name = text("name").ok_or_else(|| format!("{file}:{number} has no name"))?;
                Ok(Program { name: format!("{name}{ending}"), bytes })
            };
            lines.map(program).collect()
        }
    }
}
