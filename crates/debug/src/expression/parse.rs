//! Parses expressions.

use super::value::{Kind, Number, Value};
use super::{Operator, Tree, Word, wrong};
use crate::names::Names;
use shisa_diag::Diagnostic;
use shisa_ir::Space;

type Parsed = Result<Tree, Diagnostic>;

/// The text that is left.
struct Parser<'t> {
    text: &'t str,
    left: &'t str,
    names: &'t Names,
    /// How many parts are open.
    depth: usize,
    /// How many operators and components were taken.
    operations: usize,
}

/// The largest number of parts of an expression that are open at a time.
const DEEPEST: usize = 64;

/// The largest number of operators and components of an expression, each of which makes its tree deeper.
const MOST_OPERATIONS: usize = 100;

/// Makes a tree of an operand.
type Make = fn(Box<Tree>) -> Tree;

/// The operators before their operand.
const BEFORE: [(&str, Make); 3] = [("-", Tree::Negative), ("!", Tree::Not), ("~", Tree::Inverse)];

fn too_deep() -> Diagnostic {
    wrong(format!("the expression has more than {DEEPEST} open parts"))
}

/// Parses a whole text.
pub(super) fn parse(text: &str, names: &Names) -> Parsed {
    let mut parser = Parser { text, left: text.trim(), names, depth: 0, operations: 0 };
    let tree = parser.operation(0)?;
    match parser.left {
        "" => Ok(tree),
        _ => Err(parser.unexpected("an operator")),
    }
}

impl<'t> Parser<'t> {
    fn unexpected(&self, wanted: &str) -> Diagnostic {
        let text = shisa_diag::escape(self.text);
        match self.left {
            "" => wrong(format!("\"{text}\" ends where {wanted} is expected")),
            left => {
                wrong(format!("\"{text}\" has \"{}\" where {wanted} is expected", shisa_diag::escape(left)))
            }
        }
    }

    /// Takes a text that comes next.
    fn take(&mut self, text: &str) -> bool {
        let found = self.left.strip_prefix(text);
        self.left = found.map_or(self.left, str::trim_start);
        found.is_some()
    }

    fn expect(&mut self, text: &str) -> Result<(), Diagnostic> {
        if self.take(text) { Ok(()) } else { Err(self.unexpected(&format!("\"{text}\""))) }
    }

    /// Takes the longest prefix of such characters.
    fn run(&mut self, is: impl Fn(char) -> bool) -> &'t str {
        let end = self.left.find(|c| !is(c)).unwrap_or(self.left.len());
        let (run, left) = self.left.split_at(end);
        self.left = left.trim_start();
        run
    }

    /// Operands and operators that bind more strongly than `least`.
    fn operation(&mut self, least: u8) -> Parsed {
        self.depth += 1;
        if self.depth > DEEPEST {
            return Err(too_deep());
        }
        let mut left = self.operand()?;
        while let Some((text, binds, operator)) = self.operator().filter(|(_, binds, _)| *binds > least) {
            self.take(text);
            self.count()?;
            left = Tree::Two(operator, Box::new(left), Box::new(self.operation(binds)?));
        }
        self.depth -= 1;
        Ok(left)
    }

    /// Counts an operation.
    fn count(&mut self) -> Result<(), Diagnostic> {
        self.operations += 1;
        match self.operations > MOST_OPERATIONS {
            true => {
                Err(wrong(format!("the expression has more than {MOST_OPERATIONS} operators and components")))
            }
            false => Ok(()),
        }
    }

    fn operator(&self) -> Option<(&'static str, u8, Operator)> {
        Operator::ALL.into_iter().find(|(text, ..)| self.left.starts_with(text))
    }

    fn operand(&mut self) -> Parsed {
        for (text, tree) in BEFORE {
            if self.take(text) {
                self.depth += 1;
                if self.depth > DEEPEST {
                    return Err(too_deep());
                }
                let operand = self.operand()?;
                self.depth -= 1;
                return Ok(tree(Box::new(operand)));
            }
        }
        let mut tree = if self.take("(") {
            let inner = self.operation(0)?;
            self.expect(")")?;
            inner
        } else if self.left.starts_with(|c: char| c.is_ascii_digit()) {
            self.number()?
        } else {
            self.named()?
        };
        while self.left.starts_with('.') {
            self.count()?;
            self.left = self.left.trim_start_matches('.');
            let letters = self.run(|c| c.is_ascii_alphabetic());
            let component = |c: char| "xyzw".find(c).or_else(|| "rgba".find(c)).map(|at| at as u8);
            let which = letters.chars().map(component).collect::<Option<Vec<u8>>>();
            let which = which.filter(|which| (1..=4).contains(&which.len()));
            let which = which.ok_or_else(|| {
                wrong(format!("\".{letters}\" is not 1 to 4 of the components x, y, z and w"))
            })?;
            tree = Tree::Components(Box::new(tree), which);
        }
        Ok(tree)
    }

    fn number(&mut self) -> Parsed {
        if let Some(hexadecimal) = self.left.strip_prefix("0x") {
            self.left = hexadecimal;
            let digits = self.run(|c| c.is_ascii_hexdigit());
            let bits = u64::from_str_radix(digits, 16);
            let bits =
                bits.map_err(|_| wrong(format!("\"0x{digits}\" is not a number of at most 64 bits")))?;
            return Ok(Tree::Constant(Value::new(Kind::Hex, vec![bits])));
        }
        let text = self.run(|c| c.is_ascii_digit() || c == '.' || c == 'e');
        let number = match text.parse::<i64>() {
            Ok(integer) => Some(Number::Integer(integer)),
            Err(_) => text.parse().ok().map(Number::Float),
        };
        let number = number.ok_or_else(|| wrong(format!("\"{text}\" is not a number")))?;
        Ok(Tree::Constant(match number {
            // Addresses may have more than 32 bits.
            Number::Integer(integer) if i32::try_from(integer).is_err() => {
                Value::new(Kind::Unsigned, vec![integer as u64])
            }
            number => Value::of(&[number]),
        }))
    }

    /// A register, memory, a cast or a word.
    fn named(&mut self) -> Parsed {
        let before = self.left;
        let name = self.run(|c| c.is_ascii_alphanumeric() || c == '_' || c == '$');
        if name.is_empty() {
            return Err(self.unexpected("a register, a number or \"(\""));
        }
        if self.take("(") {
            let casts = Kind::CASTS.into_iter();
            let kind = casts.clone().find(|(cast, _)| *cast == name).ok_or_else(|| {
                let all: Vec<&str> = casts.map(|(cast, _)| cast).collect();
                wrong(format!("there is no cast \"{name}\""))
                    .help(format!("the casts are {}", all.join(", ")))
            })?;
            let inner = self.operation(0)?;
            self.expect(")")?;
            return Ok(Tree::Cast(kind.1, Box::new(inner)));
        }
        if self.left.starts_with('[') && !before[name.len()..].starts_with(char::is_whitespace) {
            self.expect("[")?;
            let index = self.operation(0)?;
            self.expect("]")?;
            return self.indexed(name, index);
        }
        let word = match name {
            "pc" => Some(Word::Counter),
            "lane" => Some(Word::Lane),
            "active" => Some(Word::Active),
            "killed" => Some(Word::Killed),
            "lanes" => Some(Word::Lanes),
            _ => None,
        };
        if let Some(word) = word {
            return Ok(Tree::Word(word));
        }
        self.register(name)
    }

    fn register(&mut self, name: &str) -> Parsed {
        // A name of one component, such as `a0.x`, may be all that there is.
        if let Some(named) = self.names.get(name) {
            return Ok(Tree::Register(named.clone()));
        }
        let after = self.left;
        if let Some(component) = after.strip_prefix('.').and_then(|after| after.get(..1))
            && let Some(named) = self.names.get(&format!("{name}.{component}"))
        {
            self.left = after[2..].trim_start();
            return Ok(Tree::Register(named.clone()));
        }
        let d = wrong(format!("the program has no register \"{name}\""));
        Err(match self.names.nearest(name) {
            Some(near) => d.help(format!("did you mean \"{near}\"?")),
            None => d,
        })
    }

    /// Memory at an address, or a register by its number.
    fn indexed(&mut self, name: &str, index: Tree) -> Parsed {
        let bank = name.strip_prefix("bank").and_then(|number| number.parse().ok());
        let space = match (name, bank) {
            ("global", _) => Some(Space::Global),
            ("shared", _) => Some(Space::Shared),
            ("local", _) => Some(Space::Local),
            ("uniforms", _) => Some(Space::Uniforms),
            (_, Some(bank)) => Some(Space::Constant(bank)),
            _ => None,
        };
        if let Some(space) = space {
            return Ok(Tree::Load(space, Box::new(index)));
        }
        // An element of an array that starts at a register.
        let (name, start) = match self.names.symbol(name) {
            Some(register) => {
                let digits = register.trim_start_matches(|c: char| !c.is_ascii_digit());
                (&register[..register.len() - digits.len()], digits.parse().unwrap_or(0))
            }
            None => (name, 0u64),
        };
        let first = format!("{name}0");
        if self.names.get(&first).is_none() && self.names.get(&format!("{first}.x")).is_none() {
            return Err(wrong(format!("the program has no registers \"{name}\" and a number"))
                .help("memory is global[…], shared[…], local[…], uniforms[…] or bank0[…]"));
        }
        if let Tree::Constant(value) = &index {
            let number = value.bits(0).unwrap_or_default().saturating_add(start);
            return self.register(&format!("{name}{number}"));
        }
        Ok(Tree::Indexed(name.to_owned(), start, Box::new(index)))
    }
}
