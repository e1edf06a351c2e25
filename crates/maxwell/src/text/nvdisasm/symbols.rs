//! The directives of symbols.

use super::printed::Printed;
use crate::container::{Cubin, Symbol};
use alloc::borrow::Cow;
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::{format, string::String, vec::Vec};

/// The names of symbols, and the numbers of labels that symbols need.
pub(super) struct Names<'a> {
    /// By the numbers of symbols.
    names: Vec<Cow<'a, str>>,
    /// By the numbers of symbols of data: the numbers of the labels of their ends.
    ends: BTreeMap<usize, usize>,
    /// The numbers of the next labels of data and of code.
    next: [usize; 2],
}

impl<'a> Names<'a> {
    /// The names of a cubin's symbols. Later ones of one name get a number, counted over all names. Those without a name get a label, and so
    /// do the ends of symbols of data that have a size, in the order of the symbols.
    pub(super) fn new(cubin: &Cubin<'a>) -> Names<'a> {
        let (mut seen, mut again) = (BTreeSet::new(), 0);
        let mut all = Names { names: Vec::new(), ends: BTreeMap::new(), next: [0; 2] };
        let code: BTreeSet<usize> = cubin.functions.iter().map(|f| f.section).collect();
        for (number, symbol) in cubin.symbols.iter().enumerate() {
            let in_code = code.contains(&usize::from(symbol.section));
            let name = if is_section(symbol) && !symbol.name.is_empty() {
                symbol.name.into()
            } else if symbol.name.is_empty() && symbol.section != 0 {
                let label = all.label(in_code);
                format!("{}{label}", if in_code { ".L_x_" } else { ".L_" }).into()
            } else {
                match seen.insert(symbol.name) {
                    true => symbol.name.into(),
                    false => {
                        again += 1;
                        format!("{}__{}", symbol.name, again - 1).into()
                    }
                }
            };
            all.names.push(name);
            let ends = symbol.size != 0 && !symbol.function() && !is_section(symbol) && !is_shared(symbol);
            if ends && symbol.section != 0 && !in_code {
                let label = all.label(false);
                all.ends.insert(number, label);
            }
        }
        all
    }

    /// The number of a new label of data or of code.
    fn label(&mut self, code: bool) -> usize {
        let next = &mut self.next[usize::from(code)];
        *next += 1;
        *next - 1
    }

    /// The name of a symbol.
    pub(super) fn get(&self, number: usize) -> Option<&str> {
        self.names.get(number).map(Cow::as_ref)
    }

    /// The number of the label of a symbol's end, for a symbol of data.
    pub(super) fn end(&self, number: usize) -> Option<usize> {
        self.ends.get(&number).copied()
    }

    /// The numbers of the next labels of data and of code.
    pub(super) fn next(&self) -> [usize; 2] {
        self.next
    }
}

/// Whether a symbol is the one of its section.
pub(super) fn is_section(symbol: &Symbol<'_>) -> bool {
    symbol.info & 15 == 3
}

/// Whether a symbol is of shared memory, where its value is not an offset of the section's bytes.
pub(super) fn is_shared(symbol: &Symbol<'_>) -> bool {
    matches!(symbol.other & 0xe0, 0x40 | 0xa0)
}

/// Whether a symbol of a section is written.
pub(super) fn is_written(symbol: &Symbol<'_>) -> bool {
    symbol.other & 8 == 0
}

/// The layout of directives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Style {
    /// Of code.
    Code,
    /// Of data.
    Data,
}

impl Style {
    fn line(self, directive: &str, rest: &str) -> String {
        match self {
            Style::Code => format!("        {directive:16}{rest}\n"),
            Style::Data => format!("\t{directive}\t\t{rest}\n"),
        }
    }
}

/// The type of a symbol; `None` if it has none.
fn type_name(symbol: &Symbol<'_>) -> Option<Cow<'static, str>> {
    Some(match symbol.info & 15 {
        0 | 3 => return None,
        1 => "@object".into(),
        2 => "@function".into(),
        10 => "@\"STT_CUDA_TEXTURE\"".into(),
        11 => "@\"STT_CUDA_SAMPLER\"".into(),
        12 => "@\"STT_CUDA_SURFACE\"".into(),
        13 => "@\"STT_CUDA_OBJECT\"".into(),
        other => format!("@\"unrecognized:{other:x}\"").into(),
    })
}

/// The words of a symbol's other properties; `None` if there are none.
fn others(symbol: &Symbol<'_>) -> Option<String> {
    if symbol.other == 0 {
        return None;
    }
    let memory = match symbol.other >> 5 {
        1 => "STO_CUDA_GLOBAL ",
        2 => "STO_CUDA_SHARED ",
        3 => "STO_CUDA_LOCAL ",
        4 => "STO_CUDA_CONSTANT ",
        5 => "STO_CUDA_RESERVED_SHARED ",
        _ => "",
    };
    let entry = if symbol.other & 0x10 != 0 { "STO_CUDA_ENTRY " } else { "" };
    let visibility =
        ["STV_DEFAULT", "STV_INTERNAL", "STV_HIDDEN", "STV_PROTECTED"][usize::from(symbol.other & 3)];
    let fourth = match (symbol.other & 4, symbol.function()) {
        (0, _) => "",
        (_, true) => " STO_CUDA_UNIFIED_FUNC",
        (_, false) => " STO_CUDA_MANAGED",
    };
    let obscure = if symbol.other & 8 != 0 { " STO_CUDA_OBSCURE" } else { "" };
    Some(format!("{entry}{memory}{visibility}{fourth}{obscure}"))
}

/// The directives before the label of a symbol. `end` is the label of its end.
pub(super) fn directives(symbol: &Symbol<'_>, name: &str, end: Option<&str>, style: Style) -> String {
    let mut text = match symbol.info >> 4 {
        0 => String::new(),
        1 => style.line(".global", name),
        2 | 3 => style.line(".weak", name),
        other => style.line(".bind", &format!("{name},{other:#010x}")),
    };
    if let Some(kind) = type_name(symbol) {
        text += &style.line(".type", &format!("{name},{kind}"));
    }
    if is_shared(symbol) {
        text += &style.line(".size", &format!("{name}, {}, {}", symbol.size, symbol.value));
    } else if let Some(end) = end.filter(|_| symbol.size != 0) {
        text += &style.line(".size", &format!("{name},({end} - {name})"));
    }
    if let Some(others) = others(symbol) {
        text += &style.line(".other", &format!("{name},@\"{others}\""));
    }
    if name != symbol.name && !symbol.name.is_empty() {
        let indent = if style == Style::Code { "        " } else { "\t" };
        text += &format!("{indent}.map_symbolname {name} {}\n", symbol.name);
    }
    text
}

/// Writes the symbols that are defined elsewhere.
pub(super) fn undefined(cubin: &Cubin<'_>, names: &Names<'_>, out: &mut Printed<'_>) {
    let mut first = true;
    for (number, symbol) in cubin.symbols.iter().enumerate().filter(|(_, s)| s.section == 0) {
        let (Some(kind), Some(name)) = (type_name(symbol), names.get(number)) else { continue };
        if core::mem::take(&mut first) {
            out.text("\n\n//--------------------- SYMBOLS --------------------------\n\n");
        }
        out.text(&Style::Data.line(".type", &format!("{name},{kind}")));
        if let Some(others) = others(symbol) {
            out.text(&Style::Data.line(".other", &format!("{name},@\"{others}\"")));
        }
        if symbol.size != 0 {
            out.text(&Style::Data.line(".size", &format!("{name},{:#x}", symbol.size)));
        }
    }
}
