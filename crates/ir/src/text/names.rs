//! The words of memory spaces and control operations.

use crate::flow::ControlOp;
use crate::op::Space;
use crate::words::numbered_words;

numbered_words! {
    Space {
        Global = "global",
        Shared = "shared",
        Local = "local",
        Uniforms = "uniforms",
        Outputs = "outputs",
        States = "states",
        Texels = "texels",
        Constants = "constants",
    } {
        Constant = "constant",
        Buffer = "buffer",
    }
}

numbered_words! {
    ControlOp {
        Next = "next",
        Branch = "branch",
        Call = "call",
        Return = "return",
        Loop = "loop",
        Again = "again",
        Exit = "exit",
        Trap = "trap",
        Invalid = "invalid",
    } {
        Push = "push",
        Pop = "pop",
        Counter = "counter",
    }
}
