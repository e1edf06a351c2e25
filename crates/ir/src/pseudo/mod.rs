//! Pseudocode for readers: the effect of one lifted step, as assignments.
//!
//! Expressions are written as on paper: infix operators, function names, `a ? b : c`. A value that is used once is
//! written where it is used; other values are named `t0`, `t1`, … Unsigned operators carry a `u` (`a <u b`), and the
//! arithmetic shift is `>>s`. Saturation and rounding other than to nearest are shown. Flush, the float model and NaN
//! rules are properties of a whole instruction set; the description of the instruction set states them.

mod bound;
mod operators;
mod printer;
#[cfg(test)]
mod tests;

use crate::{Control, ControlOp, File, Nodes, Reg, Scalar, Step, Value};
use alloc::{format, string::String};
use printer::Printer;

/// Components of a register, as an operation reads or writes them.
#[derive(Clone, Copy, Debug)]
pub struct Access<'a> {
    /// The first unit of component 0.
    pub reg: Reg,
    /// The components in the order they are read or written.
    pub components: &'a [u8],
    /// Their kind.
    pub scalar: Scalar,
    /// The expression that selects the register, and the number of units that one step of it spans.
    pub index: Option<(&'a str, u8)>,
}

/// Names for the things that pseudocode refers to.
pub trait Names {
    /// Components of a register, such as `vt0.xyz` or `dst`.
    fn place(&self, access: &Access<'_>) -> String;

    /// The text of a control operation, without its condition; `None` to omit it.
    fn control(&self, control: &Control) -> Option<String> {
        Some(match control.op {
            ControlOp::Next => return None,
            ControlOp::Branch if control.place.is_some() => "go".into(),
            ControlOp::Branch => format!("go to {:#x}", control.target),
            ControlOp::Push(_) => format!("push {:#x}", control.target),
            ControlOp::Pop(_) => "pop".into(),
            ControlOp::Call if control.place.is_some() => "call".into(),
            ControlOp::Call => format!("call {:#x}", control.target),
            ControlOp::Return => "return".into(),
            ControlOp::Loop => "begin a loop".into(),
            ControlOp::Again => "next iteration".into(),
            ControlOp::Counter(_) => "set the lane's counter".into(),
            ControlOp::Exit => "end".into(),
            ControlOp::Trap => "stop the program".into(),
            ControlOp::Invalid => "no instruction".into(),
        })
    }
}

/// Names registers by their file: name, number, components.
impl Names for &[File] {
    fn place(&self, access: &Access<'_>) -> String {
        let Some(f) = self.get(usize::from(access.reg.file.0)) else { return format!("{:?}", access.reg) };
        let per = u16::from(f.units_per_register.max(1));
        let step = u16::from(f.units_of(access.scalar));
        let number = access.reg.unit / per;
        let number = match access.index {
            None => format!("{number}"),
            Some((index, stride)) if u16::from(stride) == per && number == 0 => format!("[{index}]"),
            Some((index, stride)) if u16::from(stride) == per => format!("[{index} + {number}]"),
            Some((index, stride)) => format!("[({index} * {stride} + {}) / {per}]", access.reg.unit),
        };
        let first = access.reg.unit % per / step;
        let letters: String = access.components.iter().map(|&c| letter(c + first as u8)).collect();
        let whole = per / step <= 1 && access.components == [0];
        if whole { format!("{}{number}", f.name) } else { format!("{}{number}.{letters}", f.name) }
    }
}

fn letter(component: u8) -> char {
    char::from(*b"xyzw".get(usize::from(component)).unwrap_or(&b'?'))
}

/// The statements of the step, one per line, without a trailing line break.
pub fn pseudocode(nodes: &Nodes, step: &Step, names: &dyn Names) -> String {
    let mut range = step.nodes.clone();
    range.end = range.end.min(nodes.list.len() as u32);
    let mut printer = Printer::new(nodes, step, names);
    for v in range.map(Value) {
        printer.node(v);
        if step.guard == Some(v) {
            let guard = printer.operand(v, 0);
            printer.line(format!("if {guard}:"));
            printer.indent = "    ";
        }
    }
    // The condition of a control operation already includes the guard.
    printer.indent = "";
    if let Some(text) = names.control(&step.control) {
        let text = match step.control.place {
            Some(place) => format!("{text}, to {}", printer.operand(place, 0)),
            None => text,
        };
        let line = match step.control.cond {
            Some(cond) => format!("if {}: {text}", printer.operand(cond, 0)),
            None => text,
        };
        printer.line(line);
    }
    printer.lines.join("\n")
}
