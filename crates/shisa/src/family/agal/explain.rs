//! AGAL's opcodes, registers and options.

use super::codes::CODES;
use crate::explain::{Explanation, Section, codes, option, row};
use shisa_agal::{Agal, Attr, Options, Program, RegType, files, rules, sequencer, token};
use shisa_ir::{Access, Control, File, Names, Stage};
use shisa_rows::{Form, Isa};

/// Words for what only AGAL has, with their meanings.
const CONCEPTS: &[(&str, &str)] = &[
    ("mrt", "Multiple render targets: a fragment program that writes several colours, fo0 to fo3."),
    ("token", "One AGAL instruction: 24 bytes."),
];

pub(super) fn explain(word: &str) -> Vec<Explanation> {
    let forms = Agal::table().forms().iter().filter(|f| f.name == word).map(opcode);
    let of_program = forms.chain(register(word)).chain(option(word));
    of_program.chain(concept(word)).chain(rule(word)).chain(codes::of(CODES, word)).collect()
}

fn concept(word: &str) -> Option<Explanation> {
    let (name, text) = CONCEPTS.iter().find(|(name, _)| *name == word)?;
    Some(Explanation::new(*name, "concept", *text))
}

pub(super) fn words() -> Vec<String> {
    let opcodes = Agal::table().forms().iter().map(|f| f.name);
    let registers = registers().map(|(_, _, name)| name);
    let options = Options::CHOICES.iter().map(|c| c.key);
    let concepts = CONCEPTS.iter().map(|(name, _)| *name);
    let codes = rules::all().map(|r| r.code).chain(CODES.iter().map(|(code, _)| *code));
    opcodes.chain(registers).chain(options).chain(concepts).chain(codes).map(String::from).collect()
}

fn opcode(form: &Form<Agal>) -> Explanation {
    let mut sections = vec![Section { heading: "Written", lines: vec![row::written(form)] }];
    sections.push(Section { heading: "Available", lines: vec![available(form.attr)] });
    sections.extend(meaning(form));
    sections.push(row::bits(form, row::range));
    sections.extend(row::examples(form, |w| {
        token::split(w).iter().map(|b| format!("{b:02x}")).collect::<String>()
    }));
    Explanation { word: form.name.into(), kind: "AGAL opcode", summary: form.summary.into(), sections }
}

/// The effect of the opcode on the operands of its first example: its lift as pseudocode.
fn meaning(form: &Form<Agal>) -> Option<Section> {
    let (text, word) = form.examples.first()?;
    let ctx = (shisa_agal::SUITE.ctx)(form);
    let program = Program { tokens: vec![*word], ..Program::new(ctx.version, ctx.stage) };
    let lifted = shisa_agal::lift(&program, ctx.options).ok()?;
    let step = lifted.steps.first()?;
    let code = shisa_ir::pseudocode(&lifted.nodes, step, &Controls(files(ctx.stage)));
    Some(Section { heading: "What it does", lines: row::effect(text, &code) })
}

/// Names conditions in AGAL's terms.
struct Controls(&'static [File]);

impl Names for Controls {
    fn place(&self, access: &Access<'_>) -> String {
        self.0.place(access)
    }

    fn control(&self, control: &Control) -> Option<String> {
        Some(match control.op {
            sequencer::IF => "continue with these lanes, up to els or eif".into(),
            sequencer::ELSE => "continue with the other lanes".into(),
            sequencer::END_IF => "continue with the lanes that were active before the condition".into(),
            _ => return None,
        })
    }
}

fn available(attr: Attr) -> String {
    let stage = match attr.stage {
        Some(stage) => format!("{} programs", stage.name()),
        None => "vertex and fragment programs".into(),
    };
    format!("{stage}, from AGAL {} on", attr.since)
}

/// Every register kind of every stage, with its name.
fn registers() -> impl Iterator<Item = (RegType, Stage, &'static str)> {
    [Stage::Vertex, Stage::Fragment].into_iter().flat_map(|stage| {
        (0..8)
            .map(RegType)
            .filter(move |k| k.count(4, stage) > 0)
            .filter_map(move |k| Some((k, stage, k.name(stage)?)))
    })
}

fn register(word: &str) -> Option<Explanation> {
    let name = word.trim_end_matches(|c: char| c.is_ascii_digit());
    // The short names of the first outputs, which the assembler also accepts.
    let name = match name {
        "oc" => "fo",
        "od" => "fd",
        other => other,
    };
    let found: Vec<_> = registers().filter(|(_, _, n)| *n == name).collect();
    let (kind, _, _) = *found.first()?;
    let lines = found.iter().map(|(kind, stage, _)| {
        let counts: Vec<String> = (1..=4).map(|v| format!("AGAL {v}: {}", kind.count(v, *stage))).collect();
        format!("{} programs: {}", stage.name(), counts.join(", "))
    });
    Some(Explanation {
        word: name.into(),
        kind: "AGAL register",
        summary: about(kind).into(),
        sections: vec![Section { heading: "How many", lines: lines.collect() }],
    })
}

fn about(kind: RegType) -> &'static str {
    match kind {
        RegType::ATTRIBUTE => "Vertex attributes, read only. Missing components are filled with 0, 0, 1.",
        RegType::CONSTANT => "Constants, read only. In vertex programs they can be indexed: vc[va0.x+4].",
        RegType::TEMPORARY => "Temporaries. Each component must be written before it is read.",
        RegType::OUTPUT => {
            "Outputs: op is the position of a vertex in clip space, fo0 (also written oc) to fo3 are the \
             colours of a pixel."
        }
        RegType::VARYING => "Varyings: written by vertex programs, read by fragment programs.",
        RegType::SAMPLER => "Samplers: textures with sampling options, as in fs0 <2d, linear, repeat>.",
        RegType::DEPTH => "The depth of a pixel, written as fd.x (also od.x).",
        RegType::INSTANCE => "The number of the instance, as a float in every component; read only.",
        _ => "No register.",
    }
}

fn option(word: &str) -> Option<Explanation> {
    option::explain(Options::CHOICES, "AGAL option", word)
}

/// An error number, with or without `agal-` before it.
fn rule(word: &str) -> Option<Explanation> {
    let number = word.strip_prefix("agal-").unwrap_or(word);
    let rule = rules::message(number.parse().ok()?)?;
    let text = format!("Error #{}: {}", rule.number, rule.text);
    let meaning = if rule.meaning.is_empty() { text.clone() } else { rule.meaning.to_owned() };
    let about = |heading, line: &str| Section { heading, lines: vec![line.to_owned()] };
    Some(Explanation {
        word: rule.code.into(),
        kind: "AGAL error",
        summary: meaning,
        sections: vec![
            about("Flash says", &text),
            about("When", rule.scope.describe()),
            about("How it is known", rule.confirmed.describe()),
        ],
    })
}
