//! The container: limits of the pool, and whether the tables of a program are consistent.

use super::names::{name, uniform};
use super::{Finding, Found, Subject, codes};
use crate::container::{Constant, DUMMY, Dvle, Shbin};
use crate::word::DESCRIPTORS;
use alloc::collections::BTreeMap;
use alloc::format;
use shisa_diag::Severity;
use shisa_ir::Stage;

/// Words of a geometry shader unit.
const GEOMETRY_WORDS: usize = 4096;

/// The last register in the numbering of the table of uniforms.
const LAST_REGISTER: u16 = 0x87;

/// Checks what all programs of a file share.
pub(super) fn pool(file: &Shbin, found: &mut Found) {
    if file.code.len() > GEOMETRY_WORDS {
        let message = format!("{} words; no shader unit holds more than {GEOMETRY_WORDS}", file.code.len());
        found.push(Finding::new(codes::CODE_SIZE, Subject::Word(GEOMETRY_WORDS as u32), message));
    }
    if file.descriptors.len() > DESCRIPTORS {
        let message = format!("{} operand descriptors; there can be {DESCRIPTORS}", file.descriptors.len());
        found.push(Finding::new(codes::DESCRIPTOR_COUNT, Subject::Pool, message));
    }
}

/// The header and the tables of a program.
pub(super) fn tables(file: &Shbin, dvle: &Dvle, found: &mut Found) {
    header(file, dvle, found);
    // How a geometry program uses a vertex program's outputs is not checked here.
    let feeds = dvle.kind == 0 && file.programs.iter().any(|p| p.stage() == Some(Stage::Geometry));
    outputs(dvle, feeds, found);
    constants(dvle, found);
    uniforms(dvle, found);
    for (i, label) in (0u32..).zip(&dvle.labels) {
        if label.at as usize > file.code.len() {
            let message = format!("a label at word {}; there are {}", label.at, file.code.len());
            found.push(Finding::new(codes::LABEL, Subject::Label(i), message));
        }
        symbol(dvle, label.name, Subject::Label(i), found);
    }
}

fn header(file: &Shbin, dvle: &Dvle, found: &mut Found) {
    let words = file.code.len();
    if dvle.stage().is_none() {
        let message = format!("programs of kind {} are not known", dvle.kind);
        found.push(Finding::new(codes::STAGE, Subject::Stage, message));
    }
    if dvle.entry as usize >= words {
        let message = format!("the program begins at word {}; there are {words}", dvle.entry);
        found.push(Finding::new(codes::ENTRY, Subject::Entry, message));
    }
    if dvle.end < dvle.entry || dvle.end as usize > words {
        let message =
            format!("main ends at word {}; it begins at {}, the code has {words}", dvle.end, dvle.entry);
        found.push(Finding::new(codes::MAIN_END, Subject::End, message));
    }
    let mode = dvle.geometry;
    let vertices = mode.mode != 0 || mode.fixed_start != 0 || mode.variable != 0 || mode.fixed != 0;
    let wrong = match (dvle.stage(), mode.mode) {
        (Some(Stage::Vertex), _) if vertices => "a vertex program has a geometry mode".into(),
        (Some(Stage::Geometry), 3..) => format!("geometry mode {} is not known", mode.mode),
        (Some(Stage::Geometry), 2) => match fixed_vertices(dvle) {
            Some(text) => text,
            None => return,
        },
        _ => return,
    };
    found.push(Finding::new(codes::GEOMETRY_MODE, Subject::GeometryMode, wrong));
}

/// The fault of the constants that hold the vertices of fixed mode.
fn fixed_vertices(dvle: &Dvle) -> Option<alloc::string::String> {
    let start = u32::from(dvle.geometry.fixed_start);
    let end = start + u32::from(dvle.geometry.fixed) * dvle.inputs.count_ones().max(1);
    if end > 96 {
        return Some(format!("the vertices take c{start} to c{}; the last constant is c95", end - 1));
    }
    let taken = |u: &&crate::container::Uniform| {
        (0x10..0x70).contains(&u.first)
            && u32::from(u.first - 0x10) < end
            && u32::from(u.last) >= 0x10 + start
    };
    let first = dvle.uniforms.iter().find(taken)?;
    Some(format!(
        "the vertices take c{start} to c{}, which include uniform {}",
        end.max(1) - 1,
        uniform(dvle, first)
    ))
}

fn outputs(dvle: &Dvle, feeds: bool, found: &mut Found) {
    const POSITION: u16 = 0;
    let mut wired: BTreeMap<u16, (u16, u32)> = BTreeMap::new();
    let mut components: BTreeMap<u16, (u16, u32)> = BTreeMap::new();
    let mut table = 0u16;
    for (i, output) in (0u32..).zip(&dvle.outputs) {
        let at = Subject::Output(i);
        let (register, mask) = (output.register, output.mask);
        let unknown = output.kind > DUMMY || output.kind == 7;
        if unknown || register > 15 || register > 6 && output.kind != DUMMY || mask == 0 || mask > 15 {
            let message = format!("meaning {} for o{register} with mask {mask:#x}", output.kind);
            found.push(Finding::new(codes::OUTPUT_TABLE, at, message));
            continue;
        }
        table |= 1 << register;
        if let Some((_, first)) = components.get(&register).filter(|(m, _)| m & mask != 0) {
            let finding =
                Finding::new(codes::OUTPUT_COLLISION, at, format!("o{register} has a meaning already"));
            found.push(finding.with(Subject::Output(*first), "its first meaning"));
        }
        components.entry(register).and_modify(|(m, _)| *m |= mask).or_insert((mask, i));
        if let Some((_, first)) =
            wired.get(&output.kind).filter(|(m, _)| m & mask != 0 && output.kind != DUMMY)
        {
            let message = format!("o{register} has a meaning that another output has");
            let finding = Finding::new(codes::PROPERTY_TWICE, at, message);
            found.push(finding.with(Subject::Output(*first), "the first one"));
        }
        wired.entry(output.kind).and_modify(|(m, _)| *m |= mask).or_insert((mask, i));
    }
    if table != 0 && dvle.output_mask == 0 {
        let message = format!("the mask of outputs is 0, so the registers of the table count ({table:#x})");
        let finding = Finding::new(codes::OUTPUT_MASK, Subject::OutputMask, message);
        found.push(
            finding.severity(Severity::Note).note("old assemblers leave the mask 0; loaders read the table"),
        );
    } else if !dvle.outputs.is_empty() && table != dvle.output_mask {
        let message = format!("the mask of outputs is {:#x}, the table has {table:#x}", dvle.output_mask);
        found.push(Finding::new(codes::OUTPUT_MASK, Subject::OutputMask, message));
    }
    // A vertex program passes only dummies to a geometry program, which may be in another file.
    let feeds = feeds || dvle.kind == 0 && wired.keys().all(|kind| *kind == DUMMY) && !wired.is_empty();
    if !wired.contains_key(&POSITION) && !feeds {
        let subject = if dvle.outputs.is_empty() { Subject::OutputMask } else { Subject::Output(0) };
        found.push(Finding::new(codes::NO_POSITION, subject, "no output is the position"));
    }
}

fn constants(dvle: &Dvle, found: &mut Found) {
    let mut given: BTreeMap<(u16, u16), u32> = BTreeMap::new();
    // The first uniform that has each register.
    let mut owners: BTreeMap<u16, u32> = BTreeMap::new();
    for (i, entry) in (0u32..).zip(&dvle.uniforms) {
        for register in entry.first..=entry.last.min(LAST_REGISTER) {
            owners.entry(register).or_insert(i);
        }
    }
    for (i, constant) in (0u32..).zip(&dvle.constants) {
        let at = Subject::Constant(i);
        let (file, registers, first) = match constant.kind {
            0 => ('b', 16, 0x78),
            1 => ('i', 4, 0x70),
            2 => ('c', 96, 0x10),
            kind => {
                found.push(Finding::new(
                    codes::CONSTANT,
                    at,
                    format!("constants of kind {kind} are not known"),
                ));
                continue;
            }
        };
        let register = constant.register;
        if register >= registers {
            let message = format!("there is no {file}{register}; the last is {file}{}", registers - 1);
            found.push(Finding::new(codes::CONSTANT, at, message));
            continue;
        }
        if let Some(before) = given.insert((constant.kind, register), i) {
            let finding =
                Finding::new(codes::CONSTANT_TWICE, at, format!("{file}{register} has a value already"));
            found.push(finding.with(Subject::Constant(before), "its first value"));
        }
        if let Some(n) = owners.get(&(first + register))
            && let Some(entry) = dvle.uniforms.get(*n as usize)
        {
            let message = format!("{file}{register} belongs to uniform {}", uniform(dvle, entry));
            let finding = Finding::new(codes::CONSTANT_OVER_UNIFORM, at, message);
            found.push(finding.with(Subject::Uniform(*n), "the uniform"));
        }
        if let Some(what) = odd_value(constant) {
            let message = format!("{file}{register} is {what}");
            found.push(Finding::new(codes::CONSTANT_VALUE, at, message));
        }
    }
}

/// The reason why a constant's value is suspicious.
fn odd_value(constant: &Constant) -> Option<&'static str> {
    let part = |bits: &u32| {
        let (exponent, mantissa) = (bits >> 16 & 0x7f, bits & 0xffff);
        match (exponent, mantissa) {
            _ if bits >> 24 != 0 => Some("wider than 24 bits"),
            (0x7f, 1..) => Some("not a number"),
            (0, 1..) => Some("a denormal, which arithmetic treats as zero"),
            _ => None,
        }
    };
    match constant.kind {
        0 => (constant.data[0] > 1).then_some("neither 0 nor 1"),
        2 => constant.data.iter().find_map(part),
        _ => None,
    }
}

fn uniforms(dvle: &Dvle, found: &mut Found) {
    const RANGES: [core::ops::RangeInclusive<u16>; 4] = [0..=0xf, 0x10..=0x6f, 0x70..=0x73, 0x78..=0x87];
    let mut names: BTreeMap<&str, u32> = BTreeMap::new();
    let mut taken: BTreeMap<u16, u32> = BTreeMap::new();
    for (i, entry) in (0u32..).zip(&dvle.uniforms) {
        let at = Subject::Uniform(i);
        symbol(dvle, entry.name, at, found);
        let within = RANGES.iter().any(|r| r.contains(&entry.first) && r.contains(&entry.last));
        if !within || entry.last < entry.first {
            let message =
                format!("{} has registers {:#x} to {:#x}", uniform(dvle, entry), entry.first, entry.last);
            found.push(Finding::new(codes::UNIFORM_RANGE, at, message));
            continue;
        }
        if let Some(name) = name(dvle, entry.name)
            && let Some(first) = names.insert(name, i)
        {
            let finding = Finding::new(codes::UNIFORM_TWICE, at, format!("\"{name}\" is a name already"));
            found.push(finding.with(Subject::Uniform(first), "the first one"));
        }
        let mut overlaps = None;
        for register in entry.first..=entry.last {
            overlaps = taken.insert(register, i).or(overlaps);
        }
        if let Some(first) = overlaps {
            let message = format!("{} has a register that another name has", uniform(dvle, entry));
            let finding = Finding::new(codes::UNIFORM_OVERLAP, at, message);
            found.push(finding.with(Subject::Uniform(first), "the other one"));
        }
    }
}

fn symbol(dvle: &Dvle, offset: u32, at: Subject, found: &mut Found) {
    if name(dvle, offset).is_none() {
        let message = format!("there is no name at {offset:#x} of the symbols");
        found.push(Finding::new(codes::SYMBOL, at, message));
    }
}
