//! Cubins as a whole.

use super::NvdisasmOptions;
use super::comments::comment;
use super::data::Data;
use super::head::{self, kinds};
use super::info::Infos;
use super::labels::{Labels, Program};
use super::lines::{Columns, Lines, print};
use super::printed::Printed;
use super::symbols::{self, Names};
use crate::Chip;
use crate::container::Cubin;
use alloc::collections::BTreeMap;
use alloc::{string::String, vec::Vec};
use shisa_diag::{Diagnostic, Limit, Limits};

/// nvdisasm's output for a cubin; it prints nothing if it refuses a word.
///
/// # Errors
/// As [`nvdisasm`](super::nvdisasm).
pub fn nvdisasm_cubin(
    cubin: &Cubin<'_>,
    chip: Chip,
    options: &NvdisasmOptions,
    limits: &Limits,
) -> Result<String, Vec<Diagnostic>> {
    let names = Names::new(cubin);
    let mut programs = programs(cubin, chip, options, limits)?;
    let labels = Labels::new(cubin, &names, &mut programs);
    if !options.no_dataflow {
        comment(cubin, chip, &labels, &mut programs);
    }
    let lines: BTreeMap<usize, Lines<'_>> = programs.into_iter().map(|(f, l)| (f.section, l)).collect();
    let data = Data::new(cubin, &names, &labels);
    let mut out = Vec::new();
    let whole = |columns: &Columns, out: &mut Vec<u8>| {
        let mut infos = Infos { names: &names, labels: &labels, next: names.next()[0] };
        let (mut faults, mut is_nameless) = (Vec::new(), false);
        let mut text = Printed::new(out, limits);
        text.text(&head::flags(cubin.elf.flags, chip.number(), cubin.virtual_chip().into()));
        text.text(head::kind(cubin.elf.kind));
        for (number, section) in cubin.elf.sections.iter().enumerate().filter(|(_, s)| head::is_written(s)) {
            let code = lines.get(&number);
            if code.is_none() && options.code_only {
                continue;
            }
            head::separator(section.name, &mut text);
            head::section(section, &mut text);
            match code {
                Some(lines) => match lines.print(columns, text.out, limits) {
                    Ok(found) => is_nameless |= found,
                    Err(found) => faults.extend(found),
                },
                None if section.kind == kinds::INFO => infos.section(section, &mut text),
                None => data.section(number, section, &mut text),
            }
        }
        symbols::undefined(cubin, &names, &mut text);
        if let Err(limit) = limits.check(Limit::TextOut, "bytes of text", out.len()) {
            faults.push(limit);
        }
        if faults.is_empty() { Ok(is_nameless) } else { Err(faults) }
    };
    print(&mut out, whole, |tabs| Columns::of(lines.values(), tabs))?;
    Ok(String::from_utf8(out).unwrap_or_default())
}

/// The functions of a cubin with their lines.
fn programs<'l, 'a>(
    cubin: &'l Cubin<'a>,
    chip: Chip,
    options: &NvdisasmOptions,
    limits: &Limits,
) -> Result<Vec<Program<'l, 'a>>, Vec<Diagnostic>> {
    let (mut programs, mut faults) = (Vec::new(), Vec::new());
    for function in &cubin.functions {
        match Lines::new(function.code, chip, options, limits) {
            Ok(lines) => programs.push((function, lines)),
            Err(found) => faults.extend(found),
        }
    }
    if faults.is_empty() { Ok(programs) } else { Err(faults) }
}
