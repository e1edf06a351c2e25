//! `cargo xtask judge`: translations of every program of the oracle, judged by the tools of each language.

mod glslang;
mod tint;

use crate::opened::first;
use shisa::ir::Stage;
use shisa::pica200::Outputs;
use shisa::{File, Language, Settings};
use shisa_conformance::{Data, Program, Tally, programs};
use shisa_translate::execute::judge_wgsl;
use shisa_translate::{Code, Form, GlslVersion, Options, Output, ShaderModel, SpirvVersion, Target};
use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Translate every program of the data to every language and let spirv-val, glslang, naga and Chromium judge the code
///
/// naga and Chromium's Tint read WGSL. For MSL, which naga prints, the only judge here is naga's validation of the
/// printed module. glslang reads HLSL, except for stencil values, for which it gets a colour instead, and the function that
/// takes a double apart, for which it gets a conversion.
#[derive(Debug, clap::Args)]
pub(crate) struct Judge {
    /// Programs whose names contain one of these; by default all
    names: Vec<String>,
    /// The folder with the data
    #[arg(long, default_value = "../shared/oracle")]
    dir: PathBuf,
    /// A folder in which to keep the translations
    #[arg(long)]
    keep: Option<PathBuf>,
}

/// Every language in a version that has all stages.
pub(crate) const TARGETS: [Target; 6] = [
    Target::Wgsl,
    Target::Msl,
    Target::Glsl(GlslVersion::Core450),
    Target::Glsl(GlslVersion::Es310),
    Target::Hlsl(ShaderModel::V5_1),
    Target::Spirv(SpirvVersion::V1_3),
];

/// A translation and the verdict of its judge.
type Row = (String, Result<(), String>);

/// The outcome of a translation.
enum Verdict {
    Judged(Result<(), String>),
    /// glslang is yet to judge this file, together with others.
    Written(PathBuf),
    /// The target languages cannot express the program: the code of the reason.
    Refused(&'static str),
}

impl Judge {
    /// Judges them; returns whether all are accepted.
    pub(crate) fn run(&self) -> Result<bool, Box<dyn Error>> {
        let kept = std::env::temp_dir().join(format!("shisa-judge-{}", std::process::id()));
        // glslang runs in it, because it writes a file where it runs.
        let folder = &std::path::absolute(self.keep.as_ref().unwrap_or(&kept))?;
        fs::create_dir_all(folder)?;
        for tool in ["spirv-val", glslang::PROGRAM].into_iter().filter(|t| !installed(t)) {
            println!("{tool} is not installed: code for it is translated but not judged");
        }
        let programs = self.programs()?;
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let mut all = true;
        for target in TARGETS {
            let rows = std::thread::scope(|scope| {
                let parts = programs.chunks(programs.len().div_ceil(threads).max(1));
                let judged = |part: &[Program]| -> Vec<(String, Verdict)> {
                    let rows = part.iter().flat_map(|p| judge(&p.name, &p.bytes, target, folder)).collect();
                    with_written_judged(rows, folder)
                };
                let running: Vec<_> = parts.map(|part| scope.spawn(move || judged(part))).collect();
                running.into_iter().map(|thread| thread.join()).collect::<Result<Vec<_>, _>>()
            });
            let rows = rows.map_err(|_| "a translation panicked")?;
            let mut refused: BTreeMap<&str, usize> = BTreeMap::new();
            let mut judged: Vec<Row> = Vec::new();
            for (row, verdict) in rows.into_iter().flatten() {
                match verdict {
                    Verdict::Judged(done) => judged.push((row, done)),
                    Verdict::Written(path) => return Err(format!("{} has no verdict", path.display()).into()),
                    Verdict::Refused(code) => *refused.entry(code).or_default() += 1,
                }
            }
            all &= report(label(target), judged);
            refused
                .iter()
                .for_each(|(code, n)| println!("  {n} programs of AGX and Maxwell refused: {code}"));
        }
        if tint::installed() {
            let verdicts = tint::judge(folder)?;
            all &= report("tint", verdicts.rows);
            for (extension, n) in verdicts.lacking {
                println!("  {n} texts not judged: the browser's device lacks the extension {extension}");
            }
        } else {
            println!("chromium is not installed: its WGSL compiler does not judge");
        }
        if self.keep.is_none() {
            fs::remove_dir_all(folder)?;
        }
        Ok(all)
    }

    /// The selected programs.
    fn programs(&self) -> Result<Vec<Program>, Box<dyn Error>> {
        let data = Data::Folder(self.dir.clone());
        let mut list = Vec::new();
        for set in ["agal/bin", "pica200/bin", "agx/exec", "agx/links", "maxwell/glsl"] {
            list.extend(programs(&data, set)?);
        }
        for (name, source) in GEOMETRY {
            let bytes = shisa::assemble(source, Language::Maxwell, &Settings::default())?.bytes;
            list.push(Program { name: (*name).to_owned(), bytes });
        }
        list.retain(|p| self.names.is_empty() || self.names.iter().any(|n| p.name.contains(n.as_str())));
        Ok(list)
    }
}

/// Geometry programs of Maxwell that no shader of uam is like: with several streams, and fast ones.
const GEOMETRY: &[(&str, &str)] = &[
    ("strip.maxwell", include_str!("../../tests/translate/strip.maxwell")),
    ("streams.maxwell", include_str!("../../tests/translate/streams.maxwell")),
    ("fast.maxwell", include_str!("../../tests/translate/fast.maxwell")),
];

/// Prints how many were accepted, and the first that were not; returns whether all were.
fn report(name: &str, rows: impl IntoIterator<Item = Row>) -> bool {
    let mut tally = Tally::default();
    rows.into_iter().for_each(|(row, done)| tally.row(&row, done));
    let (passed, total) = (tally.passed(), tally.total());
    println!("{name} {passed}/{total}");
    tally.failures().iter().for_each(|f| println!("  {f}"));
    passed == total && total > 0
}

fn installed(tool: &str) -> bool {
    Command::new(tool).arg("--version").output().is_ok()
}

/// A name of the target for files and reports.
pub(crate) fn label(target: Target) -> &'static str {
    match target {
        Target::Glsl(GlslVersion::Es310) => "glsl-es",
        other => other.name(),
    }
}

/// Every program of a file, with each kind of outputs and in each form.
fn judge(name: &str, bytes: &[u8], target: Target, folder: &Path) -> Vec<(String, Verdict)> {
    let mut settings = Settings::default();
    let mut rows = Vec::new();
    if [".agx", ".dksh", ".maxwell"].iter().any(|ending| name.ends_with(ending)) {
        let mut verdict = |row: &str, target, subgroups| {
            settings.subgroups = subgroups;
            match first(bytes, &settings).and_then(|p| p.translate(target, &Options::default())) {
                // With subgroups, only code that has their operations differs.
                Ok(output) if subgroups && output.reflection.subgroup.is_none() => None,
                Ok(output) => Some(taken(row, &output, target, folder)),
                Err(e) => Some(match e.diagnostics.first() {
                    Some(d) => Verdict::Refused(d.code),
                    None => Verdict::Judged(Err("refused without a reason".into())),
                }),
            }
        };
        rows.extend(verdict(name, target, false).map(|v| (name.to_owned(), v)));
        let with_subgroups = match target {
            Target::Hlsl(_) => Target::Hlsl(ShaderModel::V6_0),
            other => other,
        };
        let row = format!("{name} subgroups");
        let judged = verdict(&row, with_subgroups, true).filter(|v| !matches!(v, Verdict::Refused(_)));
        rows.extend(judged.map(|v| (row, v)));
        return rows;
    }
    let programs = File::identify(bytes, &settings).programs.len().max(1);
    for number in 1..=programs {
        // AGAL has one program a file, and outputs of one kind.
        let kinds: &[Outputs] = match shisa::pica200::container::Shbin::sniff(bytes) {
            true => &[Outputs::Meaning, Outputs::Registers],
            false => &[Outputs::Meaning],
        };
        for &outputs in kinds {
            for form in [Form::Stage, Form::Compute] {
                settings.pica200.outputs = outputs;
                let program = File::open(bytes, &settings).and_then(|file| file.program(number));
                let options = Options { form, ..Options::default() };
                let row = format!("{name} {number} {outputs:?} {form:?}");
                let done = match program.and_then(|program| program.translate(target, &options)) {
                    Ok(output) => taken(&row, &output, target, folder),
                    // Derivatives need quads, which kernels do not have.
                    Err(e) if e.diagnostics.iter().all(|d| d.code.starts_with("translate-compute-")) => {
                        continue;
                    }
                    Err(e) => Verdict::Judged(Err(e.to_string())),
                };
                rows.push((row, done));
            }
        }
    }
    rows
}

/// The same rows, after glslang has judged the files that were written for it.
fn with_written_judged(mut rows: Vec<(String, Verdict)>, folder: &Path) -> Vec<(String, Verdict)> {
    let path = |(_, verdict): &(String, Verdict)| match verdict {
        Verdict::Written(path) => Some(path.clone()),
        _ => None,
    };
    let paths: Vec<PathBuf> = rows.iter().filter_map(path).collect();
    let verdicts = glslang::judge(&paths, folder);
    let written = rows.iter_mut().filter(|(_, verdict)| matches!(verdict, Verdict::Written(_)));
    written.zip(verdicts).for_each(|((_, verdict), done)| *verdict = Verdict::Judged(done));
    rows
}

/// Writes the code to a file; the language's tool judges it.
fn taken(row: &str, output: &Output, target: Target, folder: &Path) -> Verdict {
    let stage = match (output.reflection.form, output.reflection.stage) {
        (Form::Compute, _) | (_, Stage::Compute) => "comp",
        (_, Stage::Vertex) => "vert",
        (_, Stage::TessellationControl) => "tesc",
        (_, Stage::TessellationEvaluation) => "tese",
        (_, Stage::Geometry) => "geom",
        (_, Stage::Fragment) => "frag",
    };
    let name = format!("{}.{}", row.replace(' ', "."), label(target));
    let path = folder.join(match target {
        Target::Glsl(_) => format!("{name}.{stage}"),
        _ => name,
    });
    let written = match &output.code {
        Code::Text(text) if matches!(target, Target::Hlsl(_)) => {
            let text = text.replace("SV_StencilRef", "SV_Target7");
            fs::write(
                &path,
                text.replace("asuint(result, low, high);", "low = uint(result);\n    high = low;"),
            )
        }
        Code::Text(text) => fs::write(&path, text),
        Code::Words(words) => {
            fs::write(&path, words.iter().flat_map(|w| w.to_le_bytes()).collect::<Vec<_>>())
        }
    };
    if let Err(e) = written {
        return Verdict::Judged(Err(e.to_string()));
    }
    if let (Target::Wgsl, Code::Text(text)) = (target, &output.code) {
        // naga has the functions of subgroups, but not yet the directive that the standard demands for them.
        let text = text.strip_prefix("enable subgroups;\n").unwrap_or(text);
        return Verdict::Judged(judge_wgsl(text).map_err(|said| beginning(&said)));
    }
    let command = match target {
        Target::Spirv(_) => {
            let mut command = Command::new("spirv-val");
            command.args(["--target-env", "vulkan1.1"]);
            command
        }
        Target::Glsl(_) if output.reflection.subgroup.is_none() => return Verdict::Written(path),
        // With an environment, glslang links all files of a process to one program.
        Target::Glsl(_) => {
            let mut command = Command::new(glslang::PROGRAM);
            command.args(["--target-env", "vulkan1.1"]).current_dir(folder);
            command
        }
        Target::Hlsl(_) => {
            let mut command = Command::new(glslang::PROGRAM);
            command.args(["-D", "-S", stage, "-e", &output.reflection.entry, "--target-env", "vulkan1.1"]);
            command.current_dir(folder);
            command
        }
        _ => return Verdict::Judged(Ok(())),
    };
    Verdict::Judged(accepts(command, &path))
}

/// Whether a tool accepts a file.
fn accepts(mut command: Command, path: &Path) -> Result<(), String> {
    let Ok(said) = command.arg(path).output() else { return Ok(()) };
    let text = [said.stdout, said.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    match said.status.success() && !text.contains("ERROR") {
        true => Ok(()),
        false => Err(beginning(&text)),
    }
}

/// The first lines of a tool's message.
fn beginning(text: &str) -> String {
    text.lines().take(3).collect::<Vec<_>>().join(" | ")
}
