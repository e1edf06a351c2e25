//! The passes between recovery and the structuriser.

use crate::mem2reg::Memory;
use crate::scratch::Scratch;
use crate::{Banks, Func, dce, fold, mem2reg};
use shisa_diag::{Diagnostic, Limits};

/// Replaces registers by values, folds constants, shares address computations and removes dead code. Runs before
/// [`crate::structurise`], because the statement tree refers to blocks and parameters that these passes remove.
///
/// # Errors
/// As [`crate::registers_to_values`].
pub fn simplify(func: &mut Func, limits: &Limits) -> Result<(), Diagnostic> {
    simplify_in(func, &mut Scratch::new(), limits)
}

/// As [`simplify`], in the memory of programs before it.
///
/// # Errors
/// As [`crate::registers_to_values`].
pub fn simplify_in(func: &mut Func, scratch: &mut Scratch, limits: &Limits) -> Result<(), Diagnostic> {
    run(func, None, scratch, limits)
}

/// As [`simplify_in`], and replaces loads of what constant banks are known to hold.
///
/// # Errors
/// As [`crate::registers_to_values`].
pub fn simplify_knowing(
    func: &mut Func,
    known: Banks<'_>,
    scratch: &mut Scratch,
    limits: &Limits,
) -> Result<(), Diagnostic> {
    run(func, Some(known), scratch, limits)
}

fn run(
    func: &mut Func,
    known: Option<Banks<'_>>,
    scratch: &mut Scratch,
    limits: &Limits,
) -> Result<(), Diagnostic> {
    let (mut nodes, mut body) = (scratch.nodes(), scratch.values());
    let Scratch { registers: tables, graph, dominators, .. } = scratch;
    let memory = Memory { tables, graph, dominators, nodes: &mut nodes, body: &mut body };
    mem2reg::fold_registers(func, known, memory, limits)?;
    scratch.take_nodes(nodes);
    scratch.take_values(body);
    dce::remove_dead_in(func, scratch);
    // Offsets that became constant with the parameters of blocks.
    if func.blocks.len() > 1 && known.is_some_and(|known| fold::loads_known(func, known)) {
        fold::fold_knowing(func, known);
        dce::remove_dead_in(func, scratch);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::FILES;
    use crate::{parse_func, print_func};

    /// What the function becomes if bank 3 holds the number of each byte.
    fn simplified(text: &str) -> alloc::string::String {
        let mut func = parse_func(text, FILES, &Limits::default()).unwrap();
        let known = |bank, offset, _| (bank == 3).then(|| [0, 1, 2, 3].map(|i| offset + 4 * i));
        simplify_knowing(&mut func, &known, &mut Scratch::new(), &Limits::default()).unwrap();
        print_func(&func)
    }

    #[test]
    fn loads_of_known_banks_are_constants() {
        let load = |bank| {
            let text = "b0:
               %0: i32 = const 4
               %1: i32 = const 8
               %2: i32 = iadd %0 %1
               %3: i32 = load constant BANK %2
               %4 = store global %0 %3
               exit
            ";
            simplified(&text.replace("BANK", bank))
        };
        let (known, unknown) = (load("3"), load("2"));
        assert!(known.contains("const 0xc") && !known.contains("load"), "{known}");
        assert!(unknown.contains("load constant 2"), "{unknown}");
    }

    #[test]
    fn components_of_known_banks_are_constants() {
        let text = "b0:
               %0: i32 = const 16
               %1: i32x2 = load constant 3 %0
               %2 = store global %0 %1
               exit
            ";
        let after = simplified(text);
        assert!(after.contains("const 0x10") && after.contains("const 0x14"), "{after}");
        assert!(!after.contains("load"), "{after}");
    }

    /// The first walk meets the load before the back edge that shows what the parameter is.
    #[test]
    fn offsets_that_no_iteration_changes_are_constants() {
        let text = "b0:
               %0: i32 = const 20
               %1: i32 = const 1
               jump b1(%0)
             b1(%2: i32):
               %3: i32 = load constant 3 %2
               %4 = store global %1 %3
               %5: i1 = ieq %3 %1
               branch %5 b1(%2) b2
             b2:
               exit
            ";
        let after = simplified(text);
        assert!(!after.contains("load"), "{after}");
    }
}
