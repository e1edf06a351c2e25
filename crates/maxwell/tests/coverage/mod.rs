//! Each row runs on the evaluator and is translated, and so is each value of its modifiers.
//!
//! [`words`] are the words that show a row or a value, [`setting`] is the program around a word, [`run`] runs the program
//! and compares what the instruction did with what its lift states, and [`exceptions`] are all rows and values that come
//! less far.

#![allow(clippy::unwrap_used, reason = "helpers of tests")]

mod exceptions;
mod judge;
mod run;
mod setting;
mod words;

use exceptions::{Entry, Reached};
use judge::judged;
use run::{Lift, Probed};
use setting::{Assembler, Loaded, Setting, Values, address_registers};
use shisa_diag::{Diagnostic, Limits};
use shisa_eval::Format;
use shisa_ir::{Lifted, Space};
use shisa_maxwell::container::Sph;
use shisa_maxwell::flow::Targets;
use shisa_maxwell::lower::Staged;
use shisa_maxwell::{Ctx, Drawing, FILES, Maxwell, Options, Program, ShaderStage, bundle};
use shisa_rows::{Form, Insn, Isa};
use shisa_translate::{Code, Options as Translation, SpirvVersion, Target};
use std::collections::{BTreeMap, BTreeSet};
use words::{Facet, words};

/// The stages in which a row is shown that has a meaning in all of them.
const STAGES: &[ShaderStage] = &[ShaderStage::Compute, ShaderStage::Vertex, ShaderStage::Fragment];

/// What an instruction finds: the number from which the condition codes are computed, the predicates, and the format of
/// textures. A word is shown if one of them makes it do its work.
const FOUND: [(u32, bool, Format); 6] = [
    (0, true, Format::Rgba32F),
    (1, false, Format::Rgba32Ui),
    (1 << 31, true, Format::R32Ui),
    (u32::MAX, false, Format::Rg32Ui),
    (0, true, Format::R32F),
    (0, false, Format::R8),
];

/// The contexts of a program of a stage: without a header, and with one that permits everything.
fn drawings(stage: ShaderStage) -> Vec<Option<Drawing>> {
    if stage == ShaderStage::Compute {
        return vec![None];
    }
    let pixel = stage == ShaderStage::Fragment;
    let mut fields: Vec<String> =
        ["DoesGlobalStore 1", "DoesLoadOrStore 1", "DoesFp64 1"].map(String::from).into();
    fields.push("ImapSystemValuesB PositionX PositionY PositionZ PositionW".into());
    let how = if pixel { "perspective." } else { "" };
    fields.extend((0..16).map(|n| format!("ImapGenericVector[{n}] {how}xyzw")));
    match pixel {
        true => fields.extend(["KillsPixels 1", "OmapTarget[0] xyzw"].map(String::from)),
        false => {
            fields.push("OmapSystemValuesB PositionX PositionY PositionZ PositionW".into());
            fields.extend((0..16).map(|n| format!("OmapGenericVector[{n}] xyzw")));
        }
    }
    if stage == ShaderStage::Geometry {
        let more = ["OutputTopology POINTLIST", "MaxOutputVertexCount 4", "StreamOutMask 1"];
        fields.extend(more.map(String::from));
    }
    let mut header = Sph::new(stage).unwrap();
    fields
        .iter()
        .for_each(|field| header.set(&format!(" {field}"), 0).unwrap_or_else(|d| panic!("{field}: {d}")));
    [None, Some(header)].map(|header| Some(Drawing::new(stage, header, Options::DEFAULT))).into()
}

/// The address at which an instruction has to access a memory.
fn wanted(space: Space, registers: usize) -> u64 {
    match (space, registers) {
        (Space::Global, 2) => 0x10_0000_0000,
        (Space::Global, _) => 0x4000_0000,
        _ => 0x100,
    }
}

/// A program whose instruction does its work.
struct Working {
    program: Program,
    /// Words of constant banks that hold targets, and the targets of branches through a register.
    known: BTreeMap<(u8, u32), u32>,
    targets: Targets,
}

impl Working {
    /// A program in which the instruction of a word does its work.
    ///
    /// # Errors
    /// Why there is none: the code of what the lift or the run refuses, or what the instruction did not do.
    fn of(
        insn: &Insn<Maxwell>,
        drawing: Option<Drawing>,
        loaded: Loaded,
        assembler: &mut Assembler,
    ) -> Result<Working, String> {
        let stage = drawing.map_or(ShaderStage::Compute, |drawing| drawing.stage);
        let ctx = Ctx { pc: 8, drawing: drawing.as_ref(), ..Ctx::default() };
        let mut lifted = Lifted::new(FILES);
        shisa_rows::lift(&mut lifted, *insn, ctx, 8, 16).map_err(|d| d.code)?;
        let mut first = None;
        for (codes, predicate, format) in FOUND {
            let word = 1.5f32.to_bits();
            let values = Values { word, constant: word, address: 0, codes, predicate, loaded };
            let mut make = |values: &Values| Setting::new(insn, &lifted, stage, values, assembler);
            match Working::with(insn, drawing, values, format, &mut make) {
                Ok(working) => return Ok(working),
                Err(why) => first = first.or(Some(why)),
            }
        }
        Err(first.unwrap_or_default())
    }

    fn with(
        insn: &Insn<Maxwell>,
        drawing: Option<Drawing>,
        mut values: Values,
        format: Format,
        make: &mut dyn FnMut(&Values) -> Setting,
    ) -> Result<Working, String> {
        let code = |d: Diagnostic| d.code.to_string();
        let mut known = BTreeMap::new();
        let mut targets = Targets::new();
        let mut aims = 0;
        let (setting, lift, probed) = loop {
            let setting = make(&values);
            let lift = Lift::new(&setting, drawing).map_err(|d| d[0].code)?;
            let (probed, constants) = lift.probe(&setting, values.constant).map_err(code)?;
            let registers = address_registers(insn).len();
            match probed {
                Probed::Memory(space, at, _)
                    if registers > 0 && at != wanted(space, registers) && aims < 1 =>
                {
                    values.address = wanted(space, registers).wrapping_sub(at);
                }
                // Where control goes to the beginning of a bundle, the first instruction there is meant.
                Probed::Target(at) if setting.arrives() != Some(at) && aims < 3 => {
                    let distance = setting.arrives().unwrap_or(0).wrapping_sub(at);
                    match constants.is_empty() {
                        true => values.address = values.address.wrapping_add(distance.into()),
                        false => values.constant = values.constant.wrapping_add(distance),
                    }
                }
                Probed::Target(at) => {
                    known = constants.into_iter().map(|place| (place, values.constant)).collect();
                    targets.insert(bundle::address(setting.at as u32), vec![at]);
                    break (setting, lift, probed);
                }
                _ => break (setting, lift, probed),
            }
            aims += 1;
        };
        lift.run(&setting, insn, (probed, format, values.constant))?;
        Ok(Working { program: lift.program, known, targets })
    }

    fn translate(&self, target: Target) -> Result<Code, Vec<Diagnostic>> {
        let limits = Limits::default();
        let staged = Staged {
            known: self.known.clone(),
            targets: self.targets.clone(),
            shared: run::SHARED / 4,
            local: run::LOCAL,
            ..Staged::new(self.program.clone())
        };
        let (func, tree, interface, _) = staged.lower(&limits)?;
        let program =
            shisa_translate::Program { func: &func, tree: &tree, interface: &interface, source: &[] };
        shisa_translate::translate(&program, target, &Translation::default(), &limits)
            .map(|output| output.code)
    }
}

/// How far a word comes in a stage, and why not further.
#[derive(Clone, Debug)]
struct Outcome {
    reached: Reached,
    why: String,
    /// The module, where SPIR-V is reached.
    module: Vec<u32>,
}

impl Outcome {
    /// The outcome of a word in these contexts of a stage: that of the context in which it comes furthest.
    fn of(insn: &Insn<Maxwell>, drawings: &[Option<Drawing>], assembler: &mut Assembler) -> Outcome {
        let mut best: Option<Outcome> = None;
        for drawing in drawings {
            // Some operands have to be constants of the code, such as the offsets of most reads of textures.
            let mut tries = vec![Loaded::All];
            while let Some(loaded) = tries.pop() {
                let outcome = Outcome::with(insn, *drawing, loaded, assembler);
                if outcome.reached == Reached::Wgsl {
                    return outcome;
                }
                if outcome.why == "translate-texture"
                    && outcome.reached == Reached::Run
                    && loaded == Loaded::All
                {
                    tries.extend((0..MOST_SOURCES).map(Loaded::One).chain([Loaded::None]));
                }
                if best.as_ref().is_none_or(|best| best.reached < outcome.reached) {
                    best = Some(outcome);
                }
            }
        }
        best.unwrap()
    }

    fn with(
        insn: &Insn<Maxwell>,
        drawing: Option<Drawing>,
        loaded: Loaded,
        assembler: &mut Assembler,
    ) -> Outcome {
        let mut module = Vec::new();
        let outcome = |reached, why: &str, module| Outcome { reached, why: why.into(), module };
        let working = match Working::of(insn, drawing, loaded, assembler) {
            Ok(working) => working,
            Err(why) => return outcome(Reached::Nothing, &why, module),
        };
        match working.translate(Target::Spirv(SpirvVersion::V1_3)) {
            Ok(Code::Words(words)) => module = words,
            Ok(Code::Text(text)) => panic!("SPIR-V is no text: {text}"),
            Err(faults) => return outcome(Reached::Run, faults[0].code, module),
        }
        let wgsl = working.translate(Target::Wgsl);
        let control = drawing.is_some_and(|drawing| drawing.stage == ShaderStage::TessellationControl);
        match wgsl {
            Err(faults) if control => {
                assert_eq!(faults[0].code, "translate-stage", "WGSL has no tessellation");
                outcome(Reached::Wgsl, "", module)
            }
            Err(faults) => outcome(Reached::Spirv, faults[0].code, module),
            Ok(_) => outcome(Reached::Wgsl, "", module),
        }
    }
}

/// More registers than any instruction reads.
const MOST_SOURCES: usize = 12;

fn text(insn: &Insn<Maxwell>) -> String {
    shisa_rows::testing::text(insn, Ctx { pc: 8, ..Ctx::default() })
}

/// The word of a row that comes furthest in a stage. A value that no chip accepts with any other one has none.
fn furthest(
    form: &'static Form<Maxwell>,
    facet: Facet,
    drawings: &[Option<Drawing>],
    assembler: &mut Assembler,
) -> Option<(Insn<Maxwell>, Outcome)> {
    let mut best: Option<(Insn<Maxwell>, Outcome)> = None;
    for insn in words(form, facet) {
        let outcome = Outcome::of(&insn, drawings, assembler);
        if best.as_ref().is_none_or(|(_, best)| best.reached < outcome.reached) {
            let done = outcome.reached == Reached::Wgsl;
            best = Some((insn, outcome));
            if done {
                break;
            }
        }
    }
    best
}

/// What a set of rows shows.
#[derive(Debug, Default)]
struct Shown {
    faults: Vec<String>,
    /// The exceptions that are needed.
    needed: BTreeSet<Entry>,
    /// How many facets come to WGSL, counted once a stage.
    number: usize,
    /// Whether there is no judge of SPIR-V.
    unjudged: bool,
}

impl Shown {
    fn by(
        rows: impl Iterator<Item = &'static Form<Maxwell>>,
        drawings: &BTreeMap<ShaderStage, Vec<Option<Drawing>>>,
    ) -> Shown {
        let (mut shown, mut assembler) = (Shown::default(), Assembler::new());
        for form in rows {
            for facet in Facet::all(form) {
                for stage in form.attr.stages.unwrap_or(STAGES) {
                    match furthest(form, facet, &drawings[stage], &mut assembler) {
                        Some((insn, outcome)) => shown.add(form, facet, *stage, &insn, &outcome),
                        None if matches!(facet, Facet::Row) => {
                            shown.faults.push(format!("{}: no example can run", facet.name(form)));
                        }
                        None => {}
                    }
                }
            }
        }
        shown
    }

    fn add(
        &mut self,
        form: &Form<Maxwell>,
        facet: Facet,
        stage: ShaderStage,
        insn: &Insn<Maxwell>,
        outcome: &Outcome,
    ) {
        let (name, line) = (facet.name(form), text(insn));
        if let (Facet::Row, false) = (facet, outcome.module.is_empty()) {
            match judged(&outcome.module) {
                None => self.unjudged = true,
                Some(Ok(())) => {}
                Some(Err(said)) => {
                    self.faults.push(format!("{name}: `{line}` in a {} program: {said}", stage.name()));
                }
            }
        }
        let Outcome { reached, why, .. } = outcome;
        if *reached == Reached::Wgsl {
            self.number += 1;
            return;
        }
        match exceptions::find(&facet.row(form), &name, stage, *reached, why) {
            Some(exception) => self.needed.extend([exception]),
            None => self.faults.push(format!("{reached:?} {why} | {name} | {} | {line}", stage.name())),
        }
    }

    fn with(mut self, other: Shown) -> Shown {
        self.faults.extend(other.faults);
        self.needed.extend(other.needed);
        self.number += other.number;
        self.unjudged |= other.unjudged;
        self
    }
}

#[test]
fn every_row_runs_and_is_translated() {
    let all = [
        ShaderStage::Compute,
        ShaderStage::Vertex,
        ShaderStage::TessellationControl,
        ShaderStage::TessellationEvaluation,
        ShaderStage::Geometry,
        ShaderStage::Fragment,
    ];
    let drawings: BTreeMap<ShaderStage, Vec<Option<Drawing>>> =
        all.into_iter().map(|stage| (stage, drawings(stage))).collect();
    // No other test of this executable takes long, so this one uses two processors.
    let half = |odd: usize| Shown::by(Maxwell::table().forms().iter().skip(odd).step_by(2), &drawings);
    let shown = std::thread::scope(|scope| {
        let odd = scope.spawn(|| half(1));
        half(0).with(odd.join().unwrap())
    });
    if shown.unjudged {
        println!("skipped: spirv-val is not installed, so that nothing judges the SPIR-V");
    }
    assert_eq!(shown.faults, [""; 0]);
    let unneeded = exceptions::all().filter(|entry| !shown.needed.contains(entry));
    let unneeded: Vec<String> = unneeded.map(exceptions::describe).collect();
    assert_eq!(unneeded, [""; 0], "these come further now");
    assert!(shown.number > 15_000, "{}", shown.number);
}
