//! Maxwell code from compilers.

use shisa::diag::Limits;
use shisa::maxwell::container::{Container, Image};
use shisa::maxwell::flow::Targets;
use shisa::maxwell::{Chip, Ctx, bundle};
use shisa_conformance::maxwell::glsl;
use shisa_conformance::{Data, unpacked};
use std::error::Error;
use std::path::{Path, PathBuf};

/// A program.
pub(crate) struct Compiled {
    /// Its file, and its name in the file.
    pub(crate) name: String,
    /// Its words with their control bits.
    pub(crate) code: Vec<u128>,
    /// The targets of branches through a register.
    pub(crate) targets: Targets,
    chip: Chip,
}

impl Compiled {
    /// The environment of its instructions.
    pub(crate) fn ctx(&self) -> Ctx<'static> {
        Ctx { chip: self.chip, ..Ctx::default() }
    }
}

/// Where the programs of a chore come from.
#[derive(Debug, clap::Args)]
pub(crate) struct Sources {
    /// Files with compiled programs, optionally packed with zstd; by default the kernels and shaders of the
    /// conformance data
    files: Vec<PathBuf>,
    /// The folder with the conformance data
    #[arg(long, default_value = "../shared/oracle")]
    dir: PathBuf,
}

impl Sources {
    /// All their programs.
    pub(crate) fn programs(&self) -> Result<Vec<Compiled>, Box<dyn Error>> {
        if self.files.is_empty() {
            let mut all = kernels(&self.dir)?;
            all.extend(shaders(&self.dir)?);
            return Ok(all);
        }
        let mut all = Vec::new();
        for path in &self.files {
            all.extend(read(path)?);
        }
        Ok(all)
    }
}

/// The programs of a file, which may be packed with zstd; a file of no known kind is bare code.
fn read(path: &Path) -> Result<Vec<Compiled>, Box<dyn Error>> {
    let file = path.display();
    let bytes = match path.extension().is_some_and(|e| e == "zst") {
        true => unpacked(path)?,
        false => std::fs::read(path).map_err(|e| format!("{file}: {e}"))?,
    };
    let limits = Limits::default();
    let container = Container::sniff(&bytes, &limits).unwrap_or(Container::Bundles);
    let image = Image::read_as(&bytes, container, &limits).map_err(|found| format!("{file}: {found:?}"))?;
    let program = |(i, program): (usize, &shisa::maxwell::container::Program)| {
        let bundles = image.code(i).chunks_exact(bundle::BUNDLE_BYTES);
        let code = bundles.map(bundle::words).flat_map(bundle::fuse).collect();
        let name = format!("{file} {}", program.name);
        let chip = program.chip.unwrap_or_default();
        Compiled { name, code, targets: program.targets.clone(), chip }
    };
    Ok(image.programs.iter().enumerate().map(program).collect())
}

/// The kernels of the conformance data.
fn kernels(dir: &Path) -> Result<Vec<Compiled>, Box<dyn Error>> {
    let dir = dir.join("maxwell/ptx");
    let entries = std::fs::read_dir(&dir).map_err(|e| format!("{}: {e}", dir.display()))?;
    let mut files: Vec<_> = entries.map(|e| e.map(|e| e.path())).collect::<Result<_, _>>()?;
    files.retain(|f| f.to_string_lossy().ends_with(".cubin.zst"));
    // The order determines which program a seed selects.
    files.sort();
    let mut all = Vec::new();
    for file in files {
        all.extend(read(&file)?);
    }
    Ok(all)
}

/// The shaders of the conformance data.
fn shaders(dir: &Path) -> Result<Vec<Compiled>, Box<dyn Error>> {
    let all = glsl::shaders(&Data::Folder(dir.into()))?;
    let compiled = |s: glsl::Shader| Compiled {
        name: s.name,
        code: s.code,
        targets: Targets::new(),
        chip: Chip::default(),
    };
    Ok(all.into_iter().map(compiled).collect())
}
