//! Exchanges a program of a shader binary, whose programs share their words and descriptors.

use super::{Dvle, Shbin};
use crate::code::{Code, NODES, Walk};
use alloc::{format, vec};
use shisa_diag::Diagnostic;

impl Shbin {
    /// The binary with the program of another one in place of its own with this number, from 0, and with the words and
    /// descriptors of the other one.
    ///
    /// # Errors
    /// `shbin-absent` if there is no program of this number; `shbin-programs` if the other binary does not have a single
    /// program of the same stage; `shbin-shared` if its words differ from those of other programs.
    pub fn with_program(&self, number: usize, other: &Shbin) -> Result<Shbin, Diagnostic> {
        let Some(old) = self.programs.get(number) else {
            let text = format!("there is no program {}: the binary has {}", number + 1, self.programs.len());
            return Err(Diagnostic::error("shbin-absent", text));
        };
        let program = match other.programs.as_slice() {
            [program] if program.kind == old.kind => program,
            [program] => {
                let name = |p: &Dvle| p.stage().map_or("unknown", |s| s.name());
                let text =
                    format!("the new program's stage is {}, the old one's {}", name(program), name(old));
                return Err(Diagnostic::error("shbin-programs", text));
            }
            several => {
                let text = format!("one program is replaced, but the new binary has {}", several.len());
                return Err(Diagnostic::error("shbin-programs", text));
            }
        };
        if self.programs.len() == 1 {
            return Ok(other.clone());
        }
        self.keeps_others(number, other)?;
        let mut programs = self.programs.clone();
        if let Some(slot) = programs.get_mut(number) {
            *slot = program.clone();
        }
        Ok(Shbin { programs, layout: None, ..other.clone() })
    }

    /// Refuses a binary in whose words the programs other than this one do something else.
    fn keeps_others(&self, number: usize, other: &Shbin) -> Result<(), Diagnostic> {
        let [before, after] = [self, other].map(|file| {
            let descriptors: alloc::vec::Vec<u32> = file.descriptors.iter().map(|d| d.bits).collect();
            Code::new(&file.code, &descriptors)
        });
        let mut nodes = NODES;
        for (n, program) in self.programs.iter().enumerate().filter(|(n, _)| *n != number) {
            let walk = Walk::new(&before, program.entry, &mut nodes);
            let reached = if walk.complete { walk.reached(before.len()) } else { vec![true; before.len()] };
            for pc in reached.iter().enumerate().filter_map(|(pc, reached)| reached.then_some(pc)) {
                // Decoded words contain their descriptor.
                let word = |code: &Code| code.items.get(pc).and_then(|item| item.insn).map(|insn| insn.word);
                if self.code.get(pc) != other.code.get(pc) || word(&before) != word(&after) {
                    let text =
                        format!("word {pc:#x} of the new binary differs, and program {} uses it", n + 1);
                    return Err(Diagnostic::error("shbin-shared", text)
                        .note("the programs of a shader binary share its words and operand descriptors")
                        .help("change only what no other program reaches, or append words"));
                }
            }
        }
        Ok(())
    }
}
