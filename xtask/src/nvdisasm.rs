//! `cargo xtask nvdisasm`: whole texts of cubins, against NVIDIA's disassembler.

use shisa::diag::Limits;
use shisa::maxwell::Chip;
use shisa::maxwell::container::Cubin;
use shisa::maxwell::text::{NvdisasmOptions, nvdisasm_cubin};
use shisa_conformance::unpacked;
use std::error::Error;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Number of unequal files that are reported for each set of options.
const REPORTED: usize = 5;

/// Compare `--syntax nvdisasm` of cubins with nvdisasm's output, byte for byte
///
/// Prints how many files are equal for each set of options. Fails if any differs. Where there is no nvdisasm, nothing
/// is compared.
#[derive(Debug, clap::Args)]
pub(crate) struct Nvdisasm {
    /// Cubins, optionally packed with zstd
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// nvdisasm 12.8; later major versions do not know Maxwell
    #[arg(long, default_value = "nvdisasm")]
    tool: PathBuf,
}

/// The sets of options, as nvdisasm takes them and as we do.
fn sets() -> [(&'static [&'static str], NvdisasmOptions); 6] {
    let plain = NvdisasmOptions::default();
    let all = NvdisasmOptions { hex: true, novliw: true, code_only: true, no_dataflow: true };
    [
        (&[], plain),
        (&["-hex"], NvdisasmOptions { hex: true, ..plain }),
        (&["-c"], NvdisasmOptions { code_only: true, ..plain }),
        (&["-ndf"], NvdisasmOptions { no_dataflow: true, ..plain }),
        (&["-novliw"], NvdisasmOptions { novliw: true, ..plain }),
        (&["-hex", "-c", "-ndf", "-novliw"], all),
    ]
}

impl Nvdisasm {
    /// Compares all files; returns whether all texts are equal.
    pub(crate) fn run(&self) -> Result<bool, Box<dyn Error>> {
        if Command::new(&self.tool).arg("--version").output().is_err() {
            println!("there is no {}: nothing is compared", self.tool.display());
            return Ok(true);
        }
        let mut all = true;
        for (arguments, options) in sets() {
            let mut unequal = Vec::new();
            for path in &self.files {
                if let Some(why) = self.differs(path, arguments, &options)? {
                    unequal.push(format!("{}: {why}", path.display()));
                }
            }
            let name = if arguments.is_empty() { "default".into() } else { arguments.join(" ") };
            println!("{name} {}/{}", self.files.len() - unequal.len(), self.files.len());
            unequal.iter().take(REPORTED).for_each(|line| println!("  {line}"));
            all &= unequal.is_empty();
        }
        Ok(all)
    }

    /// The first difference of a file's texts; `None` if they are equal, or if both refuse the file.
    fn differs(
        &self,
        path: &Path,
        arguments: &[&str],
        options: &NvdisasmOptions,
    ) -> Result<Option<String>, Box<dyn Error>> {
        let packed = path.extension().is_some_and(|e| e == "zst");
        let bytes = if packed { unpacked(path)? } else { std::fs::read(path)? };
        let plain = match packed {
            true => std::env::temp_dir().join(format!("shisa-{}.cubin", std::process::id())),
            false => path.to_path_buf(),
        };
        if packed {
            std::fs::write(&plain, &bytes)?;
        }
        let output = Command::new(&self.tool).args(arguments).arg(&plain).output();
        if packed {
            std::fs::remove_file(&plain)?;
        }
        let expected = String::from_utf8_lossy(&output?.stdout).into_owned();
        let limits = Limits::default();
        let cubin = Cubin::read(&bytes, &limits);
        let text = cubin.and_then(|cubin| {
            nvdisasm_cubin(&cubin, Chip::of(cubin.chip().into()).unwrap_or_default(), options, &limits)
        });
        Ok(match text {
            Err(_) if expected.is_empty() => None,
            Err(found) => Some(format!("is refused: {}", found.first().map_or("", |d| &d.message))),
            Ok(got) if got == expected => None,
            Ok(got) => {
                let lines = expected.lines().zip(got.lines()).enumerate();
                let first = lines.into_iter().find(|(_, (expected, got))| expected != got);
                Some(match first {
                    Some((n, (expected, got))) => format!("line {}: expected {expected}, got {got}", n + 1),
                    None => format!("expected {} bytes, got {}", expected.len(), got.len()),
                })
            }
        })
    }
}
