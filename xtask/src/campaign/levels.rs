//! The leg of host levels: the tests of the batch engine and pieces of the legs that compare engines, with vector units
//! that this computer does not have or would not choose: NEON, SSE2 alone, simd128 of WebAssembly.

use super::pieces::{self, Build};
use shisa_fuzz_targets::legs::{self, Leg};
use std::error::Error;
use std::path::Path;
use std::process::{Command, Stdio};

/// The leg's name.
pub(super) const NAME: &str = "levels";
/// Pieces of each leg: every row, and random programs after them.
pub(super) const PIECES: u64 = 200;
/// The legs that compare the batch engine with the evaluator.
const LEGS: [&str; 5] =
    ["agal/engines", "pica200/engines", "pica200/plain", "maxwell/threads", "agx/engines"];

/// Vector units, and what runs programs with them.
struct Host {
    name: &'static str,
    target: &'static str,
    /// The program that runs others, its arguments, and the package that has it.
    runner: &'static [&'static str],
    package: &'static str,
    /// The linker, if it is not the usual one.
    linker: Option<&'static str>,
    flags: &'static str,
}

const HOSTS: [Host; 3] = [
    Host {
        name: "SSE2",
        target: "x86_64-unknown-linux-gnu",
        // A processor before AVX.
        runner: &["qemu-x86_64", "-cpu", "Nehalem"],
        package: "qemu-user",
        linker: None,
        flags: "",
    },
    Host {
        name: "NEON",
        target: "aarch64-unknown-linux-gnu",
        runner: &["qemu-aarch64", "-L", "/usr/aarch64-linux-gnu"],
        package: "qemu-user",
        linker: Some("aarch64-linux-gnu-gcc"),
        flags: "",
    },
    Host {
        name: "simd128",
        target: "wasm32-wasip1",
        runner: &["node", "--no-warnings", "xtask/src/campaign/wasi.mjs"],
        package: "nodejs",
        linker: None,
        flags: "-Ctarget-feature=+simd128",
    },
];

/// Runs the tests and `count` pieces of each leg on every host; returns whether all hold. A host that this computer cannot
/// run is skipped, and the reason is printed.
pub(super) fn run(words: &[String], count: u64, seed: u64) -> Result<bool, Box<dyn Error>> {
    let native = super::compiler::print("host-tuple")?;
    let mut held = true;
    for host in HOSTS.iter().filter(|host| words.is_empty() || words.iter().any(|word| word == host.name)) {
        match host.lacks(&native)? {
            Some(what) => println!("{NAME} {}: skipped: {what}", host.name),
            None => held &= host.run(&native, count, seed)?,
        }
    }
    Ok(held)
}

impl Host {
    /// What this computer lacks for the host.
    fn lacks(&self, native: &str) -> Result<Option<String>, Box<dyn Error>> {
        if !starts(self.runner[0]) {
            return Ok(Some(format!("{} is not installed (package {})", self.runner[0], self.package)));
        }
        if let Some(linker) = self.linker.filter(|linker| native != self.target && !starts(linker)) {
            return Ok(Some(format!("{linker} is not installed (package gcc-aarch64-linux-gnu)")));
        }
        let library =
            Command::new("rustc").args(["--print", "target-libdir", "--target", self.target]).output()?;
        let installed = Path::new(String::from_utf8_lossy(&library.stdout).trim()).exists();
        Ok((!installed).then(|| format!("`rustup target add {}` is needed", self.target)))
    }

    fn run(&self, native: &str, count: u64, seed: u64) -> Result<bool, Box<dyn Error>> {
        let build = self.build(native);
        let mut cargo = build.cargo("test");
        cargo.args(["--quiet", "--package", "shisa-exec", "--lib", "--tests"]);
        let mut held = cargo.status()?.success();
        println!("{NAME} {} tests of shisa-exec: {}", self.name, if held { "passed" } else { "failed" });
        build.make()?;
        let compare = |leg: &Leg| LEGS.contains(&leg.name.as_str());
        for leg in legs::all().into_iter().filter(compare) {
            match build.run(&leg, (0, count), seed) {
                Ok((level, outcomes)) => {
                    held &= pieces::report(self.name, &leg, &outcomes);
                    if level != "Base" {
                        println!("{NAME} {}: the level must be Base, is {level}", self.name);
                        held = false;
                    }
                }
                Err(e) => {
                    println!("{NAME} {} {} failed:\n{e}", self.name, leg.name);
                    held = false;
                }
            }
        }
        Ok(held)
    }

    fn build(&self, native: &str) -> Build {
        let stem = format!("CARGO_TARGET_{}", self.target.to_uppercase().replace('-', "_"));
        // Cargo starts tests in the folder of their crate.
        let anywhere = |word: &&str| match Path::new(word) {
            path if path.is_file() => {
                std::path::absolute(path).map_or((*word).to_owned(), |path| path.display().to_string())
            }
            _ => (*word).to_owned(),
        };
        let words: Vec<String> = self.runner.iter().map(anywhere).collect();
        let mut variables = vec![(format!("{stem}_RUNNER"), words.join(" "))];
        variables.extend(self.linker.map(|linker| (format!("{stem}_LINKER"), linker.to_owned())));
        if !self.flags.is_empty() {
            variables.push((format!("{stem}_RUSTFLAGS"), self.flags.to_owned()));
        }
        let target = (native != self.target).then_some(self.target);
        Build { target, folder: "", variables, runner: self.runner.to_vec() }
    }
}

/// Whether a program is installed.
fn starts(program: &str) -> bool {
    let quiet = Command::new(program).arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status();
    quiet.is_ok_and(|status| status.success())
}
