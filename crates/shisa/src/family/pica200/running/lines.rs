//! The listing and the names of a program for traces and debuggers.

use shisa_debug::Line;
use shisa_ir::{File, Reg};
use shisa_pica200::container::Shbin;

/// The words of a shader binary with their program counters, which count words.
pub(super) fn lines(file: &Shbin) -> Vec<Line> {
    let texts = (0..).zip(shisa_pica200::texts(file)).take(file.code.len());
    texts.map(|(counter, text)| Line { counter, text }).collect()
}

/// The name of a register unit, such as `r0.x`.
pub(super) fn name(files: &'static [File], reg: Reg) -> String {
    let file = files.get(usize::from(reg.file.0));
    let units = file.map_or(4, |f| u16::from(f.units_per_register).clamp(1, 4));
    let component = |units: u16| ["x", "y", "z", "w"][usize::from(reg.unit % units)];
    match file.map_or("?", |f| f.name) {
        "a" => match reg.unit {
            0 => "a0.x".into(),
            1 => "a0.y".into(),
            _ => "aL".into(),
        },
        "cmp" => format!("cmp.{}", component(2)),
        "b" => format!("b{}", reg.unit),
        name => format!("{name}{}.{}", reg.unit / units, component(units)),
    }
}
