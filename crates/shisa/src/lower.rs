//! From bytes to what translators read: structured operations on values.

use crate::{Result, Settings};
use shisa_agal::token::DEST_FIELD;
use shisa_agal::{Agal, Dest, Program, Sequencer, Words};
use shisa_ir::{Func, Interface, Lifted, Tree};
use shisa_rows::Insn;

/// A program as translators read it.
#[derive(Clone, Debug)]
pub struct Lowered {
    /// The program as its container holds it.
    pub program: Program,
    /// Its operations on values; registers are only inputs, uniforms and outputs.
    pub func: Func,
    /// The order in which its blocks run.
    pub tree: Tree,
    /// What it exchanges with the outside.
    pub interface: Interface,
}

impl Lowered {
    /// Lifts a program, recovers its graph, turns registers into values and nests its blocks.
    ///
    /// # Errors
    /// What the container, the lift and the passes refuse.
    pub fn new(bytes: &[u8], settings: &Settings) -> Result<Lowered> {
        let limits = &settings.limits;
        let program = Program::read(bytes, limits)?;
        let lifted = shisa_agal::lift(&program, &settings.agal)?;
        let interface = shisa_agal::interface(&program, &lifted);
        let mut func = recover(&program, &lifted, settings)?;
        shisa_ir::simplify(&mut func, limits)?;
        let tree = shisa_ir::structurise(&mut func, limits)?;
        Ok(Lowered { program, func, tree, interface })
    }

    /// The name of the register that each instruction writes; empty for one that writes none.
    pub fn results(&self) -> Vec<&'static str> {
        let writes = |token| {
            let insn = Insn::<Agal>::decode(token)?;
            insn.form().operands.iter().find(|o| o.field == DEST_FIELD)?;
            let dest = Dest::of(&token);
            dest.kind().register(dest.number(), self.program.stage)
        };
        self.program.tokens.iter().map(|t| writes(*t).unwrap_or_default()).collect()
    }

    /// The text of each instruction.
    pub fn texts(&self) -> Vec<String> {
        texts(&self.program)
    }
}

/// The graph of a program.
pub(crate) fn recover(program: &Program, lifted: &Lifted, settings: &Settings) -> Result<Func> {
    let sequencer = Sequencer::new(program, &settings.limits);
    Ok(shisa_ir::recover(lifted, &sequencer, 0, &settings.limits)?)
}

/// The text of each instruction.
pub(crate) fn texts(program: &Program) -> Vec<String> {
    let words = Words::new(program.version, program.stage);
    let text = |token: &shisa_agal::Token| {
        let mut text = Vec::new();
        words.print(token, &mut text);
        String::from_utf8(text).unwrap_or_default()
    };
    program.tokens.iter().map(text).collect()
}
