//! The labels of code.

use super::expression::{addend, distance, part, signed, some_bits, sum};
use super::head::kinds;
use super::lines::Lines;
use super::symbols::{self, Names, Style, directives};
use crate::bundle::{self, BUNDLE_BYTES};
use crate::container::{Branch, Cubin, Function, Relocation, Section, Symbol, attributes};
use crate::flow::number;
use crate::operand::{fillable, unnamed_target};
use crate::{Ctx, Maxwell};
use alloc::collections::{BTreeMap, BTreeSet};
use alloc::string::String;
use alloc::{format, vec, vec::Vec};
use shisa_rows::Insn;

/// A function with its lines.
pub(super) type Program<'l, 'a> = (&'l Function<'a>, Lines<'l>);

/// Names by the addresses of instructions.
type Places = BTreeMap<u32, String>;

/// The labels of a cubin's code.
pub(super) struct Labels {
    /// By the numbers of sections and the addresses of instructions: the label, and the distance from it.
    places: BTreeMap<usize, BTreeMap<u32, (String, u32)>>,
}

impl Labels {
    /// Names the addresses of code as nvdisasm does, and gives the programs their labels. Functions have their names.
    /// Labels are numbered over the whole file: targets of branches first, in the order of the branches; then, in the
    /// order of the sections, addresses of code in data, such as debug information, and two for each branch that
    /// attributes list and its target; then the ends of functions, in the order of the symbols. An
    /// address keeps its first label, but the number of a second is used up, unless a branch needed it; where a
    /// function ends and another begins with a bundle, the label of the end comes before the name. A bundle and its
    /// first instruction have one label, before the bundle, and so has a group of instructions that issue together.
    pub(super) fn new(cubin: &Cubin<'_>, names: &Names<'_>, programs: &mut [Program<'_, '_>]) -> Labels {
        let indices: BTreeMap<usize, usize> =
            programs.iter().enumerate().map(|(i, (function, _))| (function.section, i)).collect();
        let program = |symbol: &Symbol<'_>| indices.get(&usize::from(symbol.section)).copied();
        let functions = || cubin.symbols.iter().enumerate().filter(|(_, s)| s.function());
        let mut places = vec![Places::new(); programs.len()];
        for (n, symbol) in functions() {
            if let Some(i) = program(symbol) {
                let name = names.get(n).unwrap_or_default();
                places[i].entry(bundle::aligned(symbol.value as u32)).or_insert_with(|| name.into());
            }
        }
        // Other symbols name addresses of code, too.
        for (n, symbol) in cubin.symbols.iter().enumerate().filter(|(_, s)| !symbols::is_section(s)) {
            if let (Some(i), false) = (program(symbol), symbol.name.is_empty()) {
                let name = names.get(n).unwrap_or_default();
                places[i].entry(bundle::aligned(symbol.value as u32)).or_insert_with(|| name.into());
            }
        }
        relocate(cubin, names, programs, &indices);
        let [_, mut next] = names.next();
        let mut label = |places: &mut Places, at: u32| {
            places.entry(bundle::aligned(at)).or_insert_with(|| format!(".L_x_{next}"));
            next += 1;
        };
        for ((_, lines), places) in programs.iter().zip(&mut places) {
            for (i, insn) in lines.insns() {
                let ctx = Ctx { pc: bundle::address(i), symbols: Some(&lines.symbols), ..Ctx::default() };
                // The text has no label of a target that a relocation fills in.
                let target = unnamed_target(&insn, ctx);
                if let Some(at) = target.filter(|at| !places.contains_key(&bundle::aligned(*at))) {
                    label(places, at);
                }
            }
        }
        let addresses = addresses(cubin);
        for (n, section) in cubin.elf.sections.iter().enumerate() {
            for (section, at) in addresses.get(&n).into_iter().flat_map(|all| all.values().copied()) {
                let places = indices.get(&section).and_then(|i| places.get_mut(*i));
                if let Some(places) = places.filter(|places| !places.contains_key(&bundle::aligned(at))) {
                    label(places, at);
                }
            }
            for branch in listed(section) {
                let code = section.info as usize;
                if let Some(places) = indices.get(&code).and_then(|i| places.get_mut(*i)) {
                    label(places, branch.place);
                    branch.targets.into_iter().for_each(|at| label(places, at));
                }
            }
        }
        let bundles = functions().map(|(_, s)| s).filter(|s| s.value.is_multiple_of(BUNDLE_BYTES as u64));
        let bundles: BTreeSet<_> = bundles.map(|s| (s.section, bundle::aligned(s.value as u32))).collect();
        let mut ends = vec![Places::new(); places.len()];
        for (_, symbol) in functions() {
            let Some(i) = program(symbol) else { continue };
            let at = symbol.value.saturating_add(symbol.size) as u32;
            let begins = bundles.contains(&(symbol.section, bundle::aligned(at)));
            label(if begins { &mut ends[i] } else { &mut places[i] }, at);
        }
        let mut labels = Labels { places: BTreeMap::new() };
        let symbols = by_section(cubin);
        for (((function, lines), places), ends) in programs.iter_mut().zip(places).zip(ends) {
            let own = symbols.get(&function.section).map_or(&[][..], Vec::as_slice);
            let known = labels.places.entry(function.section).or_default();
            label_lines(names, own, lines, &places, &ends);
            for (place, name) in &places {
                let first = lines.group(number(*place) as u32).unwrap_or(*place);
                let name = places.get(&first).unwrap_or(name);
                // The label after the last instruction is at the end of the code.
                let first = first.min(function.code.len() as u32);
                known.insert(*place, (name.clone(), *place - first));
            }
            for (place, (name, distance)) in known.iter() {
                let text = match distance {
                    0 => format!("`({name})"),
                    _ => format!("`(({name} + {distance:#x}))"),
                };
                lines.symbols.insert(*place, text);
                // Bundles may be branch targets.
                if bundle_or(*place) != *place {
                    lines.symbols.insert_alias(bundle_or(*place), *place);
                }
            }
        }
        labels
    }

    /// The addresses of a section that have labels.
    pub(super) fn places(&self, section: usize) -> impl Iterator<Item = u32> {
        self.places.get(&section).into_iter().flat_map(|places| places.keys().copied())
    }

    /// The address of code that a relocation fills in, as the distance from a label to its symbol; `None` if it has no
    /// label. `held` is the bytes of the section of data from the unit on.
    pub(super) fn reference(
        &self,
        cubin: &Cubin<'_>,
        relocation: &Relocation,
        name: &str,
        held: &[u8],
    ) -> Option<String> {
        let (section, at) = address(cubin, relocation, held)?;
        let (label, distance) = self.place(section, at)?;
        let sum = format!("({name} + {label}@srel)");
        Some(if distance == 0 { sum } else { format!("({sum} + {distance:#x})") })
    }

    /// The label of an address in a section, and the distance from it.
    pub(super) fn place(&self, section: usize, at: u32) -> Option<(&str, u32)> {
        let (name, distance) = self.places.get(&section)?.get(&bundle::aligned(at))?;
        Some((name, *distance))
    }
}

/// The symbols of sections, by their numbers, the last ones first.
fn by_section<'c, 'a>(cubin: &'c Cubin<'a>) -> BTreeMap<usize, Vec<(usize, &'c Symbol<'a>)>> {
    let mut all: BTreeMap<usize, Vec<_>> = BTreeMap::new();
    for (n, symbol) in cubin.symbols.iter().enumerate().rev().filter(|(_, s)| s.section != 0) {
        all.entry(symbol.section.into()).or_default().push((n, symbol));
    }
    all
}

/// Gives lines their labels and the directives of their symbols.
fn label_lines(
    names: &Names<'_>,
    symbols: &[(usize, &Symbol<'_>)],
    lines: &mut Lines<'_>,
    places: &Places,
    ends: &Places,
) {
    let own = symbols.iter().filter(|(_, s)| !symbols::is_section(s));
    let named: BTreeSet<u32> = own.map(|(_, s)| bundle::aligned(s.value as u32)).collect();
    let numbered = places.iter().filter(|(place, _)| !named.contains(*place));
    for (place, name) in ends.iter().chain(numbered) {
        let group = lines.group(number(*place) as u32);
        if group.is_none_or(|first| !places.contains_key(&first)) {
            let at = bundle_or(group.unwrap_or(*place));
            lines.labels.entry(at).or_default().push_str(&format!("{name}:\n"));
        }
    }
    for (n, symbol) in symbols.iter().filter(|(_, s)| symbols::is_written(s)) {
        let place = bundle::aligned(symbol.value as u32);
        let group = lines.group(number(place) as u32);
        let before = lines.labels.entry(bundle_or(group.unwrap_or(place))).or_default();
        let name = names.get(*n).unwrap_or_default();
        if symbols::is_section(symbol) {
            before.push_str(&format!("{name}:\n"));
            continue;
        }
        let end = bundle::aligned(symbol.value.saturating_add(symbol.size) as u32);
        let end = ends.get(&end).or_else(|| places.get(&end));
        before.push_str(&directives(symbol, name, end.map(String::as_str), Style::Code));
        before.push_str(&format!("{name}:\n"));
    }
}

/// The address of the bundle that an instruction begins, or its own.
fn bundle_or(place: u32) -> u32 {
    place.checked_sub(8).filter(|bundle| bundle::aligned(*bundle) == place).unwrap_or(place)
}

/// Names the numbers that relocations put into instructions.
fn relocate(
    cubin: &Cubin<'_>,
    names: &Names<'_>,
    programs: &mut [Program<'_, '_>],
    indices: &BTreeMap<usize, usize>,
) {
    for relocation in &cubin.relocations {
        let program = indices.get(&relocation.section).and_then(|i| programs.get_mut(*i));
        let name = names.get(relocation.symbol as usize);
        let (Some((_, lines)), Some(name), Some(held)) = (program, name, cubin.field(relocation)) else {
            continue;
        };
        let at = relocation.offset as u32;
        let insn = lines.insn_at(at);
        if let Some((bit, text)) = insn.and_then(|insn| operand(relocation, &insn, name, held)) {
            lines.symbols.insert_number(at, bit, text);
        }
        if let Some(replaced) = relocation.known().and_then(|kind| kind.replaced) {
            lines.comments.insert(number(at) as u32, format!("(*\"{}\"*)", replaced.replace('%', name)));
        }
    }
}

/// The lowest bit of the number of an instruction that a relocation fills in, and its text. `held` is the bytes from the
/// instruction on.
fn operand(relocation: &Relocation, insn: &Insn<Maxwell>, name: &str, held: &[u8]) -> Option<(u32, String)> {
    let kind = relocation.known()?;
    let mut numbers =
        fillable(insn, relocation.offset as u32).map(|number| (number, number.within(kind.mask())));
    let (lowest, some) = match numbers.find(|(_, bits)| *bits != 0) {
        Some((number, bits)) => {
            let lowest = number.lowest().filter(|_| kind.width <= number.width())?;
            let begins = kind.bit < lowest || kind.is_operand && kind.bit == lowest;
            let is_whole = begins || kind.width == number.width();
            (lowest, (!is_whole).then(|| format!("{}({})", some_bits(bits, kind), signed(number.held))))
        }
        // The word decides what the operand is, such as a constant whose size it states.
        None if kind.is_operand => (kind.bit, None),
        None => return None,
    };
    let sum = sum(name, addend(relocation, held)?);
    let value = kind.function.map_or(sum.clone(), |function| format!("fun@{function}({sum})"));
    let text = match (some, part(kind)) {
        (Some(some), _) => format!("`([{some}={value}])"),
        (None, Some(part)) => format!("{part}({value})"),
        (None, None) if kind.function.is_some() => value,
        (None, None) => format!("`({value})"),
    };
    Some((lowest.into(), text))
}

/// The section and the address of code that a relocation of data fills in, if they are not those of its symbol.
fn address(cubin: &Cubin<'_>, relocation: &Relocation, held: &[u8]) -> Option<(usize, u32)> {
    let symbol = cubin.symbols.get(relocation.symbol as usize)?;
    let distance = distance(relocation, held).filter(|distance| *distance != 0)?;
    let at = symbol.value.checked_add_signed(distance)?;
    Some((symbol.section.into(), u32::try_from(at).ok()?))
}

/// By the numbers of sections of data: the addresses of code that relocations fill in, by offset, each with the section
/// of its function.
fn addresses(cubin: &Cubin<'_>) -> BTreeMap<usize, BTreeMap<u64, (usize, u32)>> {
    let mut all: BTreeMap<usize, BTreeMap<_, _>> = BTreeMap::new();
    for relocation in &cubin.relocations {
        if let Some(address) = cubin.field(relocation).and_then(|held| address(cubin, relocation, held)) {
            all.entry(relocation.section).or_default().insert(relocation.offset, address);
        }
    }
    all
}

/// The instructions of a cubin whose targets attributes list, each with the section of its function.
pub(super) fn branches(cubin: &Cubin<'_>) -> Vec<(usize, Branch)> {
    let infos = cubin.elf.sections.iter();
    infos.flat_map(|s| listed(s).into_iter().map(move |branch| (s.info as usize, branch))).collect()
}

/// The instructions whose targets the attributes of a section list.
fn listed(section: &Section<'_>) -> Vec<Branch> {
    let data = if section.kind == kinds::INFO { section.data } else { &[] };
    attributes(data).map_while(Result::ok).flat_map(|attribute| attribute.branches()).collect()
}
