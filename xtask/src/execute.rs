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
        let mut all = true;
        for target in [Target::Wgsl, Target::Spirv(SpirvVersion::V1_3)] {
            all &= self.agal(&device, target)?;
            all &= self.pairs(&device, target)?;
            all &= self.pica200(&device, target)?;
            all &= self.agx(&device, target)?;
            all &= self.drawn(&device, target)?;
            all &= self.maxwell(&device, target)?;
            all &= self.graphics(&device, target)?;
            all &= self.kernels(&device, target);
            all &= self.scenes(&device, target)?;
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
        let mut refused: BTreeMap<String, usize> = BTreeMap::new();
        for line in std::fs::read_to_string(self.dir.join("agx/exec.jsonl"))?.lines() {
            let case: serde_json::Value = serde_json::from_str(line)?;
            let name = case.get("name").and_then(serde_json::Value::as_str).unwrap_or("?");
            if !self.wants(&format!("agx/exec {name}")) {
                continue;
            }
            match agx::Case::read(line) {
                Err(e) => leg.row(name, Err(e)),
                Ok(cases) => cases.iter().for_each(|c| match c.judge(device, target) {
                    Ok(agx::Done::Ran(counts)) => leg.row(name, Ok(counts)),
                    Ok(agx::Done::Refused(why)) => {
                        leg.row(name, Err(format!("refused: {why}")));
                        *refused.entry(why).or_default() += 1;
                    }
                    Err(e) => leg.row(name, Err(e)),
                }),
            }
        }
        let passed = leg.report("agx/exec", target);
        refused.iter().for_each(|(why, n)| println!("  {n} refused: {why}"));
        Ok(passed)
    }

    /// Every program of `agx/links`. Those that are refused are counted by code.
    fn drawn(&self, device: &Device, target: Target) -> Result<bool, Box<dyn Error>> {
        let mut leg = Leg::default();
        let mut refused: BTreeMap<String, usize> = BTreeMap::new();
        for (number, line) in (1..).zip(std::fs::read_to_string(self.dir.join("agx/links.jsonl"))?.lines()) {
            let name = format!("agx/links {number}");
            if !self.wants(&name) {
                continue;
            }
            let case: serde_json::Value = serde_json::from_str(line)?;
            match drawn::Case::read(&case).and_then(|c| c.judge(device, target)) {
                Ok(agx::Done::Ran(counts)) => leg.row(&name, Ok(counts)),
                Ok(agx::Done::Refused(why)) => *refused.entry(why).or_default() += 1,
                Err(e) => leg.row(&name, Err(e)),
            }
        }
        let passed = leg.report("agx/links", target);
        refused.iter().for_each(|(why, n)| println!("  {n} refused: {why}"));
        Ok(passed)
    }

    /// Every compute shader of `maxwell/glsl` with a run. Those that are refused are counted by code.
    fn maxwell(&self, device: &Device, target: Target) -> Result<bool, Box<dyn Error>> {
        let mut leg = Leg::default();
        let mut refused: BTreeMap<String, usize> = BTreeMap::new();
        for shader in Data::Folder(self.dir.clone()).values("maxwell/glsl/shaders.jsonl")? {
            let name = shader.get("name").and_then(serde_json::Value::as_str).unwrap_or("?");
            if !self.wants(&format!("maxwell/glsl {name}")) {
                continue;
            }
            let Some(case) = maxwell::shaders::Case::read(&shader) else { continue };
            match case.and_then(|c| c.judge(device, target)) {
                Ok(agx::Done::Ran(counts)) => leg.row(name, Ok(counts)),
                Ok(agx::Done::Refused(why)) => *refused.entry(why).or_default() += 1,
                Err(e) => leg.row(name, Err(e)),
            }
        }
        let passed = leg.report("maxwell/glsl", target);
        refused.iter().for_each(|(why, n)| println!("  {n} refused: {why}"));
        Ok(passed)
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
        let mut refused: BTreeMap<String, usize> = BTreeMap::new();
        for (name, case) in cases {
            if !self.wants(&format!("maxwell/graphics {name}")) {
                continue;
            }
            match case.and_then(|c| c.judge(device, target)) {
                Ok(agx::Done::Ran(counts)) => leg.row(&name, Ok(counts)),
                Ok(agx::Done::Refused(why)) => *refused.entry(why).or_default() += 1,
                Err(e) => leg.row(&name, Err(e)),
            }
        }
        let passed = leg.report("maxwell/graphics", target);
        refused.iter().for_each(|(why, n)| println!("  {n} refused: {why}"));
        Ok(passed)
    }

    /// Kernels of Maxwell that are made for tests, and need no data.
    fn kernels(&self, device: &Device, target: Target) -> bool {
        let mut leg = Leg::default();
        let mut refused: BTreeMap<String, usize> = BTreeMap::new();
        for kernel in shisa_conformance::maxwell::kernels::all() {
            let name = &kernel.name;
            if !self.wants(&format!("maxwell/kernels {name}")) {
                continue;
            }
            match maxwell::kernels::judge(&kernel, device, target) {
                Ok(agx::Done::Ran(counts)) => leg.row(name, Ok(counts)),
                Ok(agx::Done::Refused(why)) => *refused.entry(why).or_default() += 1,
                Err(e) => leg.row(name, Err(e)),
            }
        }
        let passed = leg.report("maxwell/kernels", target);
        refused.iter().for_each(|(why, n)| println!("  {n} refused: {why}"));
        passed
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
        let scenes::Compared { pixels, drawn, on_edges } = compared;
        println!(
            "scenes as {} {}/{}; {pixels} pixels equal, {drawn} of them drawn; {on_edges} on edges not compared",
            target.name(),
            tally.passed(),
            tally.total()
        );
        tally.failures().iter().for_each(|f| println!("  {f}"));
        Ok(tally.passed() == tally.total())
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
}

impl Leg {
    fn row(&mut self, name: &str, done: Result<Counts, String>) {
        if let Ok(one) = done {
            self.counts += one;
            self.alone.extend(one.alone.then(|| name.to_owned()));
        }
        self.tally.row(name, done.map(drop));
    }

    /// Prints the result; returns whether all passed.
    fn report(&self, kind: &str, target: Target) -> bool {
        let (passed, total) = (self.tally.passed(), self.tally.total());
        let Counts { components, equal, .. } = self.counts;
        let target = target.name();
        println!(
            "{kind} as {target} {passed}/{total}; {equal} of {components} components equal in every bit"
        );
        if !self.alone.is_empty() {
            println!("  correct only without other lanes next to them: {}", self.alone.join(", "));
        }
        self.tally.failures().iter().for_each(|f| println!("  {f}"));
        passed == total
    }
}
