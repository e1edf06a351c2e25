//! `cargo xtask execute`: translated programs on a graphics device, compared with the evaluator.

mod agal;
mod agx;
mod drawn;
mod maxwell;
mod pairs;
pub(crate) mod pica200;
mod scenes;

use pairs::Pair;
use shisa_conformance::numbers::{SENSITIVE, USUAL};
use shisa_conformance::{Data, Tally, files};
use shisa_translate::execute::Device;
use shisa_translate::{SpirvVersion, Target};
use std::collections::BTreeMap;
use std::error::Error;
use std::path::PathBuf;

/// Largest relative difference of a component whose texels come from a linear filter: devices weight texels with as
/// few as 8 bits, the evaluator with exact weights.
const FILTERED: f64 = 1.0 / 256.0;
/// Largest absolute difference of a component after `sin` or `cos` (languages permit 2^-11).
const SINE: f64 = 1.0 / 2048.0;

/// Run the translations of every program of agal/run, pica200/run, agx/exec, agx/links and maxwell/glsl on a graphics
/// device and compare with the evaluator, or with what the data expect
#[derive(Debug, clap::Args)]
pub(crate) struct Execute {
    /// Programs whose names contain one of these; by default all
    names: Vec<String>,
    /// The folder with the data
    #[arg(long, default_value = "../shared/oracle")]
    dir: PathBuf,
    /// A folder of further DKSHs, whose vertex and pixel programs run, too
    #[arg(long)]
    shaders: Option<PathBuf>,
}

impl Execute {
    /// Runs them; returns whether all results agree within the bounds. Without a device it says so and does nothing.
    pub(crate) fn run(&self) -> Result<bool, Box<dyn Error>> {
        let device = match Device::open() {
            Ok(device) => device,
            Err(e) => {
                println!("execution on a device skipped: {e}");
                return Ok(true);
            }
        };
        println!(
            "device {}; bounds: {USUAL:e} relative, {SENSITIVE:e} where sensitive, {FILTERED:.1e} of the larger \
             of 1 and the value where a filter is linear, {SINE:.1e} absolute after sines; for pairs twice the \
             effect of an error of {:.1e} of the largest value at a corner in varyings; for PICA200 programs {} \
             times the effect of an error of {:.1e} in inputs",
            device.name(),
            pairs::INTERPOLATION,
            pica200::TIMES,
            pica200::NUDGE,
        );
        let device = device.with_words(shisa_passthrough::module)?;
        // The device compiles a program on the thread that asks for it.
        let targets = [Target::Wgsl, Target::Spirv(SpirvVersion::V1_3)];
        let device = &device;
        std::thread::scope(|scope| {
            let running = targets.map(|target| scope.spawn(move || self.all(device, target)));
            let mut all = true;
            for leg in running {
                all &= leg.join().map_err(|_| "a comparison panicked")??;
            }
            Ok(all)
        })
    }

    /// Every set in one language; returns whether all results agree.
    fn all(&self, device: &Device, target: Target) -> Result<bool, String> {
        let sets = [
            Execute::agal,
            Execute::pairs,
            Execute::pica200,
            Execute::agx,
            Execute::drawn,
            Execute::maxwell,
            Execute::graphics,
            Execute::kernels,
            Execute::scenes,
        ];
        let mut all = true;
        for set in sets {
            all &= set(self, device, target).map_err(|e| e.to_string())?;
        }
        Ok(all)
    }

    /// Every program of `agal/run`.
    fn agal(&self, device: &Device, target: Target) -> Result<bool, Box<dyn Error>> {
        let mut leg = Leg::default();
        let base = self.dir.join("agal");
        for (name, path) in self.files("agal/run", ".json")? {
            leg.row(&name, agal::Case::read(&base, &path).and_then(|c| c.judge(device, target)));
        }
        Ok(leg.report("agal/run", target))
    }

    /// Draws a triangle with every linkable vertex and fragment program of one name.
    fn pairs(&self, device: &Device, target: Target) -> Result<bool, Box<dyn Error>> {
        let mut leg = Leg::default();
        let base = self.dir.join("agal");
        for (name, path) in self.files("agal/run", ".vert.json")? {
            if !path.with_file_name(format!("{name}.frag.json")).exists() {
                continue;
            }
            let Some(pair) = Pair::read(&base, &name).transpose() else { continue };
            if let Some(why) = pair.as_ref().ok().and_then(Pair::hidden) {
                println!("not drawn: {name}: {why}");
                continue;
            }
            leg.row(&name, pair.and_then(|p| p.judge(device, target)));
        }
        Ok(leg.report("pairs", target))
    }

    /// Every set of `pica200/run`.
    fn pica200(&self, device: &Device, target: Target) -> Result<bool, Box<dyn Error>> {
        let mut leg = Leg::default();
        let base = self.dir.join("pica200");
        for (name, path) in self.files("pica200/run", ".json")? {
            match pica200::Case::read(&base, &path) {
                Ok(cases) => {
                    cases.iter().for_each(|c| leg.row(&format!("{name} {c}"), c.judge(device, target)))
                }
                Err(e) => leg.row(&name, Err(e)),
            }
        }
        Ok(leg.report("pica200/run", target))
    }

    /// Every program of `agx/exec`. Refused programs fail, too; they are counted by code.
    fn agx(&self, device: &Device, target: Target) -> Result<bool, Box<dyn Error>> {
        let mut leg = Leg::default();
        for line in std::fs::read_to_string(self.dir.join("agx/exec.jsonl"))?.lines() {
            let case: serde_json::Value = serde_json::from_str(line)?;
            let name = case.get("name").and_then(serde_json::Value::as_str).unwrap_or("?");
            if !self.wants(&format!("agx/exec {name}")) {
                continue;
            }
            match agx::Case::read(line) {
                Err(e) => leg.row(name, Err(e)),
                Ok(cases) => cases.iter().for_each(|c| {
                    let done = c.judge(device, target);
                    if let Ok(agx::Done::Refused(why)) = &done {
                        leg.row(name, Err(format!("refused: {why}")));
                    }
                    leg.run(name, done);
                }),
            }
        }
        Ok(leg.report("agx/exec", target))
    }

    /// Every program of `agx/links`. Those that are refused are counted by code.
    fn drawn(&self, device: &Device, target: Target) -> Result<bool, Box<dyn Error>> {
        let mut leg = Leg::default();
        for (number, line) in (1..).zip(std::fs::read_to_string(self.dir.join("agx/links.jsonl"))?.lines()) {
            let name = format!("agx/links {number}");
            if !self.wants(&name) {
                continue;
            }
            let case: serde_json::Value = serde_json::from_str(line)?;
            leg.run(&name, drawn::Case::read(&case).and_then(|c| c.judge(device, target)));
        }
        Ok(leg.report("agx/links", target))
    }

    /// Every compute shader of `maxwell/glsl` with a run. Those that are refused are counted by code.
    fn maxwell(&self, device: &Device, target: Target) -> Result<bool, Box<dyn Error>> {
        let mut leg = Leg::default();
        for shader in Data::Folder(self.dir.clone()).values("maxwell/glsl/shaders.jsonl")? {
            let name = shader.get("name").and_then(serde_json::Value::as_str).unwrap_or("?");
            if !self.wants(&format!("maxwell/glsl {name}")) {
                continue;
            }
            let Some(case) = maxwell::shaders::Case::read(&shader) else { continue };
            leg.run(name, case.and_then(|c| c.judge(device, target)));
        }
        Ok(leg.report("maxwell/glsl", target))
    }

    /// Every vertex, geometry, tessellation evaluation and pixel shader of `maxwell/glsl`, and of the folder of further ones. Those that are refused, or that
    /// have no made-up inputs, are counted by reason.
    fn graphics(&self, device: &Device, target: Target) -> Result<bool, Box<dyn Error>> {
        let mut cases = Vec::new();
        for shader in Data::Folder(self.dir.clone()).values("maxwell/glsl/shaders.jsonl")? {
            let name = shader.get("name").and_then(serde_json::Value::as_str).unwrap_or("?").to_owned();
            cases.extend(maxwell::graphics::Case::read(&shader).map(|case| (name, case)));
        }
        for path in
            self.shaders.iter().map(|dir| files(dir, ".dksh")).collect::<Result<Vec<_>, _>>()?.concat()
        {
            let name = path.file_name().and_then(|n| n.to_str()).unwrap_or("?").to_owned();
            if [".vert.", ".frag."].iter().any(|stage| name.contains(stage)) {
                cases.push((name, Ok(maxwell::graphics::Case::of(std::fs::read(&path)?))));
            }
        }
        let mut leg = Leg::default();
        for (name, case) in cases {
            if !self.wants(&format!("maxwell/graphics {name}")) {
                continue;
            }
            leg.run(&name, case.and_then(|c| c.judge(device, target)));
        }
        Ok(leg.report("maxwell/graphics", target))
    }

    /// Kernels of Maxwell that are made for tests, and need no data.
    fn kernels(&self, device: &Device, target: Target) -> Result<bool, Box<dyn Error>> {
        let mut leg = Leg::default();
        for kernel in shisa_conformance::maxwell::kernels::all() {
            let name = &kernel.name;
            if !self.wants(&format!("maxwell/kernels {name}")) {
                continue;
            }
            leg.run(name, maxwell::kernels::judge(&kernel, device, target));
        }
        Ok(leg.report("maxwell/kernels", target))
    }

    /// Scenes of triangles, which need no data.
    fn scenes(&self, device: &Device, target: Target) -> Result<bool, Box<dyn Error>> {
        let (mut tally, mut compared) = (Tally::default(), scenes::Compared::default());
        let programs = scenes::Programs::new(target)?;
        for number in 0..scenes::SCENES {
            let name = format!("scenes {number}");
            if self.wants(&name) {
                let done = scenes::judge(number, &programs, device);
                if let Ok(one) = &done {
                    compared += *one;
                }
                tally.row(&name, done.map(drop));
            }
        }
        let scenes::Compared { pixels, drawn, on_edges, near_ties, depths, .. } = compared;
        let text = format!(
            "scenes as {} {}/{}; {pixels} pixels equal, {drawn} of them drawn, with {depths} depths; not compared: {on_edges} \
             on edges, {near_ties} with depths too close to each other",
            target.name(),
            tally.passed(),
            tally.total()
        );
        let noticed = format!("noticed faults: {}", compared.noticed());
        print(text, tally.failures().iter().map(ToString::to_string).chain([noticed]));
        // A part of the scenes may not show a fault.
        let is_all = tally.total() == scenes::SCENES as usize;
        Ok(tally.passed() == tally.total() && !(is_all && compared.misses_faults()))
    }

    fn wants(&self, name: &str) -> bool {
        self.names.is_empty() || self.names.iter().any(|n| name.contains(n.as_str()))
    }

    /// The selected files of a folder, with their names.
    fn files(&self, dir: &str, ending: &str) -> Result<Vec<(String, PathBuf)>, Box<dyn Error>> {
        let named = |path: PathBuf| {
            let name = path.file_name().and_then(|s| s.to_str()).unwrap_or_default();
            (name.trim_end_matches(ending).to_owned(), path)
        };
        let wanted = |(name, _): &(String, _)| self.wants(name);
        Ok(files(&self.dir.join(dir), ending)?.into_iter().map(named).filter(wanted).collect())
    }
}

/// The result of a comparison.
#[derive(Clone, Copy, Default)]
struct Counts {
    components: usize,
    /// Components that are equal in every bit.
    equal: usize,
    /// Whether lanes had to run without different ones next to them.
    alone: bool,
}

impl std::ops::AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        self.components += other.components;
        self.equal += other.equal;
        self.alone |= other.alone;
    }
}

/// Programs of one kind on the device.
#[derive(Default)]
struct Leg {
    tally: Tally,
    counts: Counts,
    alone: Vec<String>,
    /// How many programs were refused, by reason.
    refused: BTreeMap<String, usize>,
}

impl Leg {
    fn row(&mut self, name: &str, done: Result<Counts, String>) {
        if let Ok(one) = done {
            self.counts += one;
            self.alone.extend(one.alone.then(|| name.to_owned()));
        }
        self.tally.row(name, done.map(drop));
    }

    /// The same for a program that may be refused, which is counted.
    fn run(&mut self, name: &str, done: Result<agx::Done, String>) {
        match done {
            Ok(agx::Done::Ran(counts)) => self.row(name, Ok(counts)),
            Ok(agx::Done::Refused(why)) => *self.refused.entry(why).or_default() += 1,
            Err(e) => self.row(name, Err(e)),
        }
    }

    /// Prints the result; returns whether all passed.
    fn report(&self, kind: &str, target: Target) -> bool {
        let (passed, total) = (self.tally.passed(), self.tally.total());
        let Counts { components, equal, .. } = self.counts;
        let target = target.name();
        let text = format!(
            "{kind} as {target} {passed}/{total}; {equal} of {components} components equal in every bit"
        );
        let alone = match self.alone.is_empty() {
            true => None,
            false => {
                Some(format!("correct only without other lanes next to them: {}", self.alone.join(", ")))
            }
        };
        let failures = self.tally.failures().iter().map(ToString::to_string);
        let refused = self.refused.iter().map(|(why, n)| format!("{n} refused: {why}"));
        print(text, alone.into_iter().chain(failures).chain(refused));
        passed == total
    }
}

/// Prints a line with its details in one piece: the legs of two languages run at a time.
fn print(mut text: String, details: impl Iterator<Item = String>) {
    details.for_each(|detail| text.extend(["\n  ", &detail]));
    println!("{text}");
}
