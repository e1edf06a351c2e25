//! The assembled program of a document, line by line.

use shisa::data::Instruction;
use shisa::diag::Span;
use shisa::{File, Program, Settings, assemble};
use std::collections::BTreeMap;

/// An instruction and its text.
pub(crate) struct Line {
    /// Its text in the source.
    pub(crate) span: Span,
    pub(crate) instruction: Instruction,
    /// The registers that are live after it; `None` if they are not known.
    pub(crate) live: Option<Vec<String>>,
}

/// An assembled program.
#[derive(Default)]
pub(crate) struct Code {
    /// The instructions, in the order of the source.
    pub(crate) lines: Vec<Line>,
    /// The cost of each program, at its first instruction.
    pub(crate) costs: Vec<(Span, String)>,
}

impl Code {
    /// The program of a text; nothing if it has faults.
    pub(crate) fn of(text: &str, settings: &Settings) -> Code {
        let Some(language) = settings.language else { return Code::default() };
        let Ok(assembly) = assemble(text, language, settings) else { return Code::default() };
        let Ok(file) = File::open(text.as_bytes(), settings) else { return Code::default() };
        // Several instructions can be made of one statement; the first one stands for it.
        let spans: BTreeMap<usize, Span> =
            assembly.lines.iter().map(|line| (line.offset, line.span)).collect();
        let (mut lines, mut costs) = (BTreeMap::new(), Vec::new());
        for program in file.programs() {
            let Ok(list) = program.instructions(&Default::default()) else { continue };
            let live = live(&program, list.len());
            let mut first = None;
            for (instruction, live) in list.into_iter().zip(live) {
                let Some(span) = spans.get(&instruction.offset).copied() else { continue };
                first.get_or_insert(span);
                lines.entry(span.start).or_insert(Line { span, instruction, live });
            }
            costs.extend(first.and_then(|span| Some((span, cost(&program)?))));
        }
        costs.sort();
        costs.dedup_by_key(|(span, _)| *span);
        Code { lines: lines.into_values().collect(), costs }
    }

    /// The instruction at an offset of the source.
    pub(crate) fn at(&self, offset: usize) -> Option<&Line> {
        let number = self.lines.partition_point(|line| line.span.start <= offset).checked_sub(1)?;
        self.lines.get(number).filter(|line| offset <= line.span.end)
    }
}

/// For each instruction of a program the registers that are live after it.
fn live(program: &Program<'_>, count: usize) -> Vec<Option<Vec<String>>> {
    let live = program.cfg().map(|graph| graph.live());
    live.ok().filter(|sets| sets.len() == count).unwrap_or_else(|| vec![None; count])
}

/// What a program costs: its instructions and, where they are known, its cycles.
fn cost(program: &Program<'_>) -> Option<String> {
    let report = program.report().ok()?;
    let counted = |key: &str| Some(format!("{} {key}", report.json[key].as_u64()?));
    let parts: Vec<String> = ["instructions", "cycles"].into_iter().filter_map(counted).collect();
    (!parts.is_empty()).then(|| parts.join(", "))
}
