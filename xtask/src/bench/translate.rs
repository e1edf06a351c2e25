//! Translation of AGAL.

use super::timing::seconds_between;
use super::{AVERAGE, Figure, Inputs, plain, tokens_of};
use crate::opened::{first, lowered};
use naga::back::wgsl::{Writer, WriterFlags};
use naga::valid::{Capabilities, ValidationFlags, Validator};
use shisa_translate::{
    GlslVersion, Options, Program, ShaderModel, Source, SpirvVersion, Target, naga_module,
};
use std::cell::RefCell;
use std::error::Error;
use std::hint::black_box;

pub(super) const NAMES: [&str; 8] = [
    "translate/ours",
    "translate/naga",
    "translate/wgsl",
    "translate/glsl",
    "translate/hlsl",
    "translate/msl",
    "translate/spirv",
    "translate/all-targets",
];

impl Inputs {
    /// Our share of a translation (bytes to naga module), naga's share (validation, WGSL), and whole translations to
    /// each language.
    pub(super) fn translate(&self) -> Result<Vec<Figure>, Box<dyn Error>> {
        let (settings, options) = (&self.settings, &Options::default());
        let module = |bytes: &Vec<u8>| -> Result<naga::Module, shisa::Error> {
            let lowered = lowered(bytes, settings)?;
            let results = lowered.results();
            let source: Vec<Source<'_>> = results.iter().map(|result| Source { text: "", result }).collect();
            let program = Program {
                func: &lowered.func,
                tree: &lowered.tree,
                interface: &lowered.interface,
                source: &source,
            };
            Ok(naga_module::build(&program, Target::Wgsl, options, &settings.limits)?)
        };
        let programs: Vec<_> = self.programs.iter().filter(|p| AVERAGE.contains(&tokens_of(p))).collect();
        let modules = programs.iter().map(|p| module(p)).collect::<Result<Vec<_>, _>>()?;
        let mut text = String::new();
        let to = |target| {
            let programs = &programs;
            move || {
                programs.iter().for_each(|p| {
                    black_box(first(p, settings).and_then(|program| program.translate(target, options)).ok());
                });
            }
        };
        let (made, checked) = (RefCell::new(Vec::new()), RefCell::new(Vec::new()));
        let work: [&mut dyn FnMut(); 7] = [
            &mut || made.borrow_mut().extend(programs.iter().map(|p| module(p).ok())),
            &mut || {
                for m in &modules {
                    let mut validator = Validator::new(ValidationFlags::all(), Capabilities::all());
                    let Ok(info) = validator.validate(m) else { continue };
                    text.clear();
                    black_box(Writer::new(&mut text, WriterFlags::empty()).write(m, &info).ok());
                    checked.borrow_mut().push(info);
                }
            },
            &mut to(Target::Wgsl),
            &mut to(Target::Glsl(GlslVersion::default())),
            &mut to(Target::Hlsl(ShaderModel::default())),
            &mut to(Target::Msl),
            &mut to(Target::Spirv(SpirvVersion::default())),
        ];
        let [ours, naga, wgsl, glsl, hlsl, msl, spirv] = seconds_between(work, || {
            made.borrow_mut().clear();
            checked.borrow_mut().clear();
        });
        let micros = |s: f64| s * 1e6 / programs.len().max(1) as f64;
        let one = |s: f64| plain(micros(s), "µs/program");
        let of_naga = |s: f64| (micros(s), "µs/program", format!("{:.2} of translate/naga", s / naga));
        let mut figures = vec![of_naga(ours), one(naga), of_naga(wgsl)];
        figures.extend([glsl, hlsl, msl, spirv, wgsl + glsl + hlsl + msl + spirv].map(one));
        Ok(figures)
    }
}
