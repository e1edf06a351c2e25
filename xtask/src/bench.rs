//! `cargo xtask bench`: the figures, each with name, value, unit, and the reference of a ratio. Figures of other
//! programs that were measured elsewhere follow the word "elsewhere".

mod agal;
mod agx;
mod buffers;
mod device;
mod dispatches;
mod exec;
mod fragments;
mod geometry;
mod kernels;
mod lowering;
mod lsp;
mod maxwell;
mod peers;
mod pica200;
mod roofline;
mod timing;
mod translate;

use crate::opened::lowered;
use crate::vertices;
use serde_json::Value;
use shisa::agal::{HEADER_BYTES, token::TOKEN_BYTES};
use shisa::agx::ComputeRun;
use shisa::data::batch::Precision;
use shisa::ir::Stage;
use shisa::ir::scalar::Numbers;
use shisa::maxwell::KernelRun;
use shisa::maxwell::container::Cubin;
use shisa::pica200::container::Shbin;
use shisa::{File, Settings};
use shisa_conformance::Data;
use shisa_run::from_base64;
use shisa_translate::execute::Device;
use std::error::Error;
use std::path::PathBuf;
use timing::seconds;

/// Numbers of tokens in the programs that translation is measured on: real programs have 14 on average.
const AVERAGE: std::ops::RangeInclusive<usize> = 10..=18;

/// Tokens of a program.
fn tokens_of(bytes: &[u8]) -> usize {
    bytes.len().saturating_sub(HEADER_BYTES) / TOKEN_BYTES
}

/// Measure speed, on one thread
#[derive(Debug, clap::Args)]
pub(crate) struct Bench {
    /// Figures whose names contain one of these; by default all
    names: Vec<String>,
    /// A folder with programs besides those of examples/
    #[arg(long, default_value = "../shared/oracle/agal/bin")]
    corpus: PathBuf,
    /// A folder with `ptx` and `cuda` of Maxwell
    #[arg(long, default_value = "../shared/oracle/maxwell")]
    maxwell: PathBuf,
    /// A folder with `bin` and `run` of PICA200
    #[arg(long, default_value = "../shared/oracle/pica200")]
    pica200: PathBuf,
    /// A folder with `links.jsonl` and `exec.jsonl` of AGX
    #[arg(long, default_value = "../shared/oracle/agx")]
    agx: PathBuf,
}

/// The programs that are measured, and data prepared from them.
struct Inputs {
    programs: Vec<Vec<u8>>,
    /// Vertex shaders of PICA200 with their containers, of the kind found in games.
    shaders: Vec<Vec<u8>>,
    /// Maxwell code from a compiler, for sm_53.
    code: Vec<u8>,
    /// Linked programs of AGX, concatenated.
    linked: Vec<u8>,
    /// Compute programs of AGX with their memory.
    runs: Vec<ComputeRun>,
    /// Kernels of Maxwell with their memory.
    kernels: Vec<KernelRun>,
    /// The files of those kernels.
    cubins: Vec<Vec<u8>>,
    /// Compute shaders of Maxwell in DKSH files.
    dksh: Vec<Vec<u8>>,
    settings: Settings,
}

impl Bench {
    /// Measures and prints the figures.
    pub(crate) fn run(&self) -> Result<bool, Box<dyn Error>> {
        let settings = Settings::default();
        let entries = std::fs::read_dir(&self.corpus).into_iter().flatten().flatten();
        let read = entries.map(|e| e.path()).filter(|p| p.extension().is_some_and(|e| e == "agalb"));
        let mut programs = shisa_fuzz_targets::examples();
        programs.extend(read.filter_map(|p| std::fs::read(p).ok()));
        let sound = |p: &Vec<u8>| {
            let found = File::open(p, &settings).and_then(|file| file.check());
            found.is_ok_and(|found| found.is_empty())
        };
        programs.retain(|p| sound(p) && lowered(p, &settings).is_ok());
        let average = programs.iter().filter(|p| AVERAGE.contains(&tokens_of(p))).count();
        let (count, machine) = (programs.len(), machine());
        println!(
            "# {machine}; one thread; {count} programs; translate/*: the {average} of {AVERAGE:?} tokens"
        );
        let folder = std::fs::read_dir(self.pica200.join("bin")).into_iter().flatten().flatten();
        let named = folder.filter(|e| e.file_name().to_string_lossy().starts_with("real_")).map(|e| e.path());
        let shaders = named.filter(|p| p.extension().is_some_and(|e| e == "shbin"));
        let vertex = |bytes: &Vec<u8>| {
            let file = Shbin::read(bytes, &settings.limits);
            file.is_ok_and(|f| f.programs.iter().all(|p| p.stage() == Some(Stage::Vertex)))
        };
        let shaders = shaders.filter_map(|p| std::fs::read(p).ok()).filter(vertex).collect();
        let (code, (linked, runs)) = (self.code(&settings), self.agx());
        let (cubins, kernels) = self.kernels(&settings).into_iter().unzip();
        let dksh = self.dksh();
        let inputs = Inputs { programs, shaders, code, linked, runs, kernels, cubins, dksh, settings };
        type Group = fn(&Inputs) -> Result<Vec<Figure>, Box<dyn Error>>;
        let groups: [(&[&str], Group); 8] = [
            (&agal::TEXT, Inputs::text),
            (&pica200::NAMES, Inputs::pica200),
            (&maxwell::NAMES, Inputs::maxwell),
            (&kernels::NAMES, Inputs::kernels),
            (&lowering::NAMES, Inputs::lowering),
            (&agx::NAMES, Inputs::agx),
            (&["eval"], Inputs::eval),
            (&translate::NAMES, Inputs::translate),
        ];
        let wanted = |name: &str| self.names.is_empty() || self.names.iter().any(|n| name.contains(n));
        for (names, group) in groups {
            if !names.iter().any(|n| wanted(n)) {
                continue;
            }
            for (name, (value, unit, ratio)) in names.iter().zip(group(&inputs)?) {
                if wanted(name) {
                    let peer = peers::of(name).map_or(String::new(), |peer| format!("; elsewhere: {peer}"));
                    println!("{name} {value:.2} {unit} {ratio}{peer}");
                }
            }
        }
        lsp::print(wanted);
        fragments::print(wanted)?;
        geometry::print(wanted)?;
        let device = Device::open();
        match &device {
            Ok(device) => println!("# device: {}", device::describe(device)),
            Err(reason) => println!("# nothing is measured on a device: {reason}"),
        }
        let device = device.as_ref().ok();
        if wanted("pica200/exec/roofline") {
            roofline::print()?;
        }
        let models = [("f32", Numbers::F32), ("f24", Numbers::F24)];
        for (model, float) in models {
            let options = shisa::pica200::Options { float, ..Default::default() };
            exec::print(
                &self.pica200,
                model,
                (&options, Precision::Exact),
                device.filter(|_| model == "f32"),
                wanted,
            )?;
        }
        let emulators = shisa::pica200::Options::emulators();
        exec::print(&self.pica200, "fast", (&emulators, Precision::Fast), device, wanted)?;
        for peer in vertices::PEERS {
            for (model, float) in models {
                let name = format!("pica200/eval/{}/{model}", peer.program);
                if wanted(&name) {
                    let options = shisa::pica200::Options { float, ..Default::default() };
                    let work = vertices::Work::read(&self.pica200, peer.program)?;
                    let ([time], words) = work.with(&options, |run| seconds([run]))?;
                    let speed = vertices::VERTICES as f64 / time / 1e6;
                    println!(
                        "{name} {speed:.2} M-vertices/s of {words:.0} words; Azahar, measured elsewhere: {:.2} of its \
                         interpreter ({:.2}), {:.2} of its x86-64 code ({:.2})",
                        speed / peer.interpreter,
                        peer.interpreter,
                        speed / peer.jit,
                        peer.jit
                    );
                }
            }
        }
        Ok(true)
    }

    /// The compute shaders that uam compiled.
    fn dksh(&self) -> Vec<Vec<u8>> {
        let shaders = Data::Folder(self.maxwell.clone()).values("glsl/shaders.jsonl").unwrap_or_default();
        let runs = shaders.iter().filter(|s| s.get("run").is_some_and(serde_json::Value::is_object));
        runs.filter_map(|s| from_base64(s.get("dksh")?.as_str()?)).collect()
    }

    /// The code of all kernels compiled for sm_53.
    fn code(&self, settings: &Settings) -> Vec<u8> {
        let mut code = Vec::new();
        for level in ["O0", "O3"] {
            let path = self.maxwell.join(format!("ptx/kernels_sm_53-{level}.cubin.zst"));
            let Ok(bytes) = shisa_conformance::unpacked(&path) else { continue };
            if let Ok(cubin) = Cubin::read(&bytes, &settings.limits) {
                cubin.functions.iter().for_each(|f| code.extend_from_slice(f.code));
            }
        }
        code
    }

    /// Files with compiled kernels of Maxwell, and their memory.
    fn kernels(&self, settings: &Settings) -> Vec<(Vec<u8>, KernelRun)> {
        let path = self.maxwell.join("cuda/cases.jsonl.zst");
        let text = shisa_conformance::unpacked(&path).ok().and_then(|bytes| String::from_utf8(bytes).ok());
        let run = |line: &str| {
            let case: Value = serde_json::from_str(line).ok()?;
            let cubin = shisa_run::from_base64(case.get("cubin")?.as_str()?)?;
            let run = KernelRun::from_json(&cubin, line, settings).ok()?;
            Some((cubin, run))
        };
        text.iter().flat_map(|text| text.lines()).filter_map(run).collect()
    }

    /// The code of all linked programs of AGX, and the compute programs with their memory.
    fn agx(&self) -> (Vec<u8>, Vec<ComputeRun>) {
        let lines = |name: &str| std::fs::read_to_string(self.agx.join(name)).unwrap_or_default();
        let code = |line: &str| {
            let case: Value = serde_json::from_str(line).ok()?;
            shisa::rows::source::hex_bytes(case.get("linked")?.get("code")?.as_str()?)
        };
        let linked = lines("links.jsonl").lines().filter_map(code).flatten().collect();
        let runs = lines("exec.jsonl")
            .lines()
            .filter_map(|line| ComputeRun::from_json(line).ok())
            .flatten()
            .collect();
        (linked, runs)
    }
}

/// Value, unit, and the reference of a ratio (`-` for none).
type Figure = (f64, &'static str, String);

/// A figure that is not a ratio.
fn plain(value: f64, unit: &'static str) -> Figure {
    (value, unit, "-".to_owned())
}

/// The model of the processor, as the system reports it.
fn machine() -> String {
    let text = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let model = text.lines().find_map(|l| l.strip_prefix("model name")?.split_once(": ").map(|(_, m)| m));
    model.unwrap_or("unknown processor").to_owned()
}
