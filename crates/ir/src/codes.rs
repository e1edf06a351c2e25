//! The diagnostic codes of control flow and of passes.

/// Each code with its meaning.
pub const CODES: &[(&str, &str)] = &[
    (
        "exchange-divergent",
        "A cross-lane operation is in control flow that not every thread of the workgroup reaches. In the target languages it becomes shared memory and a workgroup barrier, which all threads must execute. With `--subgroups` it becomes an operation of subgroups, and all threads of the wave must reach it: languages leave open which lanes of a subgroup are active after lanes diverge.",
    ),
    ("exchange-kind", "Lanes exchange vectors of 64 bits, which the target languages cannot express."),
    (
        "exchange-memory",
        "Lanes exchange values through shared memory, and the workgroup is so large that addresses of 32 bits do not reach the values of all lanes.",
    ),
    ("flow-depth", "Calls are nested deeper than the analysis follows."),
    (
        "flow-divergent",
        "Lanes of a wave call or return to different addresses in a register. AGX's behaviour is unknown there, so only lanes that agree continue.",
    ),
    ("flow-guard", "A conditional branch also has an effect that its condition does not mask off."),
    (
        "flow-indirect",
        "A register holds the target of a call or return. The evaluator follows it. A translator must know it in advance: the straight-line code before it must move a constant to the register.",
    ),
    (
        "flow-off-program",
        "Some path through the program reaches an address without an instruction. The option past-end states what PICA200 programs find there.",
    ),
    ("flow-return", "The program returns without a matching call."),
    (
        "flow-states",
        "The stacks of the hardware multiply the states of the program beyond the limit structure-growth.",
    ),
    (
        "internal-exchange",
        "Lanes combine values by an operation without a neutral value, which no instruction set has: a fault of shisa, not of the program. Please report it with the program.",
    ),
    (
        "internal-structure",
        "Control flow refers to a block that is not in the list of blocks: a fault of shisa, not of the program. Please report it with the program.",
    ),
    ("ir-divergent", "A cross-lane operation is in control flow that not all of its lanes reach."),
    ("ir-invalid", "Operations break a rule of the intermediate representation."),
    ("ir-text", "The text of the intermediate representation does not have the form in which it is printed."),
    (
        "narrow-register",
        "A 16-bit register is indexed at run time, and the target language cannot index 16-bit elements.",
    ),
    (
        "structure-convergent",
        "Cross-lane operations would have to move into a loop that not all lanes enter.",
    ),
    (
        "structure-growth",
        "Converting jumps to structured statements would duplicate too much of the program.",
    ),
];
