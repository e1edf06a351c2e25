//! The diagnostic codes of runs that a debugger shows.

/// The codes of this crate, and those of the engines.
pub const CODES: [&[(&str, &str)]; 4] = {
    let [engines, evaluator, batches] = shisa_engines::CODES;
    [engines, evaluator, batches, OWN]
};

/// Each code with its meaning.
const OWN: &[(&str, &str)] = &[
    ("debug-command", "A command of a debugger does not exist or has other arguments; `help` lists all."),
    ("debug-empty", "A debugger has no run: nothing runs with this input."),
    (
        "debug-expression",
        "An expression of a debugger is not one, names a register that the program does not have, or combines values that do not go together.",
    ),
    (
        "debug-hits",
        "A hit condition of a breakpoint is neither a number nor a comparison with one, such as `>= 5` or `% 3`, or no hit meets it.",
    ),
    ("debug-interrupted", "Another request, such as `pause`, ended a move of a debugger."),
    ("debug-lane", "The lane does not exist, or its wave does not run at the position of the debugger."),
    (
        "debug-request",
        "A request of the Debug Adapter Protocol is not supported, or its arguments do not fit the program.",
    ),
    ("debug-outermost", "A debugger cannot go out of a call or a loop where none is open."),
    (
        "debug-session",
        "A file is not a saved session of the debugger, or has another version, lacks a part, or does not fit its own program. `save` in `shisa debug` writes such files.",
    ),
    ("debug-run", "The input makes fewer runs than the number of the one that a debugger should show."),
    (
        "lockstep-differs",
        "An engine computes another value than the first engine of a comparison. The report has the instruction and the values of both; if the engines are those of shisa with exact results, it is a fault of shisa: please report it.",
    ),
    ("internal-debug", "A fault of shisa: a recording lacks a state that it must have. Please report it."),
];
