//! Expressions over registers and memory.
//!
//! A register is named as in the listing: `r4`, `r4.x`, `r4.zyx`, `R12`, `P0`, `r3l`. An index selects a register by its number:
//! `c[4]`, `c[lane + 1]`. Memory is `global[0x1000]`, `shared[16]`, `local[0]`, or a bank of constants, `bank0[0x140]`; a
//! word of 32 bits each. `pc`, `lane`, `active` and `killed` are those of the lane. Operators are those of C, with its
//! precedence. A cast shows bits as another kind: `float(R4)`, `half(r3l)`, `float24(r0)`, `int(R4)`, `unsigned(r0.x)`,
//! `hex(r0)`, `color(o1)`.

mod evaluate;
mod parse;
mod value;

pub use value::{Kind, Value};

use crate::names::{Named, Names};
use shisa_diag::Diagnostic;
use shisa_ir::Space;

/// An expression that refers to the registers of one program.
#[derive(Clone, Debug, PartialEq)]
pub struct Expression {
    text: String,
    tree: Tree,
}

/// A part of an expression.
#[derive(Clone, Debug, PartialEq)]
enum Tree {
    Constant(Value),
    Register(Named),
    /// The register of a file whose number is the sum of both.
    Indexed(String, u64, Box<Tree>),
    Load(Space, Box<Tree>),
    Word(Word),
    Components(Box<Tree>, Vec<u8>),
    Cast(Kind, Box<Tree>),
    Not(Box<Tree>),
    Negative(Box<Tree>),
    Inverse(Box<Tree>),
    Two(Operator, Box<Tree>, Box<Tree>),
}

/// What is known of a lane besides its registers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Word {
    Counter,
    Lane,
    Active,
    Killed,
    /// The number of active lanes.
    Lanes,
}

/// An operation with two operands.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Operator {
    Or,
    And,
    BitOr,
    BitXor,
    BitAnd,
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
    Left,
    Right,
    Add,
    Subtract,
    Multiply,
    Divide,
    Remainder,
}

impl Operator {
    /// All with their texts, longer ones first, and how strongly they bind.
    const ALL: [(&'static str, u8, Operator); 18] = [
        ("||", 1, Operator::Or),
        ("&&", 2, Operator::And),
        ("==", 6, Operator::Equal),
        ("!=", 6, Operator::Unequal),
        ("<=", 7, Operator::AtMost),
        (">=", 7, Operator::AtLeast),
        ("<<", 8, Operator::Left),
        (">>", 8, Operator::Right),
        ("|", 3, Operator::BitOr),
        ("^", 4, Operator::BitXor),
        ("&", 5, Operator::BitAnd),
        ("<", 7, Operator::Less),
        (">", 7, Operator::Greater),
        ("+", 9, Operator::Add),
        ("-", 9, Operator::Subtract),
        ("*", 10, Operator::Multiply),
        ("/", 10, Operator::Divide),
        ("%", 10, Operator::Remainder),
    ];
}

/// The largest size of an expression in bytes.
pub const LONGEST: usize = 1024;

impl Expression {
    /// Parses an expression.
    ///
    /// # Errors
    /// `debug-expression` for another form, for names that the program does not have, and for more than [`LONGEST`] bytes.
    pub fn parse(text: &str, names: &Names) -> Result<Expression, Diagnostic> {
        if text.len() > LONGEST {
            return Err(wrong(format!("an expression has {} bytes; the longest has {LONGEST}", text.len())));
        }
        Ok(Expression { text: text.trim().to_owned(), tree: parse::parse(text, names)? })
    }

    /// The text.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The register that it names, if it is one or a part of one.
    pub fn register(&self) -> Option<Named> {
        match &self.tree {
            Tree::Register(named) => Some(named.clone()),
            Tree::Components(tree, components) => match &**tree {
                Tree::Register(named) if !named.joined => {
                    let unit = |component: &u8| named.units.get(usize::from(*component)).copied();
                    let units = components.iter().map(unit).collect::<Option<Vec<_>>>()?;
                    Some(Named { units, ..named.clone() })
                }
                _ => None,
            },
            _ => None,
        }
    }

    /// The memory and the address that it loads from, if it is a load from a constant address.
    pub fn location(&self) -> Option<(Space, u64)> {
        match &self.tree {
            Tree::Load(space, address) => match &**address {
                Tree::Constant(value) => Some((*space, value.bits(0)?)),
                _ => None,
            },
            _ => None,
        }
    }
}

/// An error about an expression.
pub(crate) fn wrong(text: impl Into<String>) -> Diagnostic {
    Diagnostic::error("debug-expression", text)
}

#[cfg(test)]
mod tests;
