//! All targets, each with a source of inputs of its own kind.

use crate::debugging;
use crate::inputs::{self, Inputs};
use crate::language_server;
use crate::legs::Part;
use crate::{
    Target, agx_check, agx_compiled, agx_graph, agx_listing, agx_part, agx_run, agx_text, agx_translate, asm,
    check, compiled, debug_adapter, debug_script, debug_session, dis_roundtrip, ir_compiled, ir_text,
    lsp_server, macros, maxwell_check, maxwell_compiled, maxwell_container, maxwell_graph, maxwell_input,
    maxwell_listing, maxwell_run, maxwell_schedule, maxwell_text, maxwell_translate, pica200_check,
    pica200_compiled, pica200_run, pica200_translate, picasso, run, shbin, swf, translate,
};

/// Inputs of one kind, and the targets that read them.
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// The family and the kind, such as `agal/verbs`.
    pub name: &'static str,
    /// Creates a generator of inputs; it may mutate these programs in addition to its own.
    pub inputs: fn(&[Vec<u8>]) -> Inputs,
    /// The targets, and the shares of the inputs that each accepts and refuses.
    pub targets: &'static [(Part, Target)],
}

/// A target that accepts and refuses at least these shares of its inputs, in percent.
const fn target(name: &'static str, target: Target, accepted: u64, refused: u64) -> (Part, Target) {
    (Part::verb(name, accepted, refused), target)
}

/// All kinds.
pub const KINDS: &[Kind] = &[
    Kind {
        name: "agal/verbs",
        inputs: inputs::agal,
        targets: &[
            target("dis_roundtrip", dis_roundtrip, 100, 0),
            target("check", check, 5, 40),
            target("run", run, 20, 20),
            target("translate", translate, 20, 20),
        ],
    },
    Kind { name: "agal/text", inputs: inputs::agal_text, targets: &[target("asm", asm, 5, 40)] },
    Kind { name: "agal/macro-text", inputs: inputs::macros, targets: &[target("macros", macros, 5, 40)] },
    Kind { name: "swf/files", inputs: inputs::swf, targets: &[target("swf", swf, 40, 1)] },
    Kind {
        name: "pica200/verbs",
        inputs: inputs::pica200,
        targets: &[
            target("shbin", shbin, 50, 1),
            target("pica200_check", pica200_check, 5, 20),
            target("pica200_run", pica200_run, 20, 10),
            target("pica200_translate", pica200_translate, 40, 10),
        ],
    },
    Kind { name: "pica200/text", inputs: inputs::picasso, targets: &[target("picasso", picasso, 5, 40)] },
    Kind {
        name: "maxwell/verbs",
        inputs: inputs::maxwell,
        targets: &[
            target("maxwell_listing", maxwell_listing, 100, 0),
            target("maxwell_check", maxwell_check, 50, 0),
            target("maxwell_graph", maxwell_graph, 90, 0),
            target("maxwell_schedule", maxwell_schedule, 100, 0),
        ],
    },
    Kind {
        name: "maxwell/kernels",
        inputs: inputs::maxwell_kernels,
        targets: &[
            target("maxwell_run", maxwell_run, 15, 20),
            target("maxwell_translate", maxwell_translate, 15, 20),
        ],
    },
    Kind {
        name: "maxwell/inputs",
        inputs: inputs::maxwell_input,
        targets: &[target("maxwell_input", maxwell_input, 2, 40)],
    },
    Kind {
        name: "maxwell/files",
        inputs: inputs::bytes,
        targets: &[target("maxwell_container", maxwell_container, 20, 10)],
    },
    Kind {
        name: "maxwell/text",
        inputs: inputs::maxwell_text,
        targets: &[target("maxwell_text", maxwell_text, 5, 40)],
    },
    Kind {
        name: "agx/verbs",
        inputs: inputs::agx,
        targets: &[
            target("agx_listing", agx_listing, 100, 0),
            target("agx_check", agx_check, 50, 0),
            target("agx_graph", agx_graph, 20, 10),
            target("agx_run", agx_run, 10, 20),
            target("agx_translate", agx_translate, 10, 20),
        ],
    },
    Kind { name: "agx/parts", inputs: inputs::bytes, targets: &[target("agx_part", agx_part, 20, 10)] },
    Kind { name: "agx/text", inputs: inputs::agx_text, targets: &[target("agx_text", agx_text, 5, 40)] },
    Kind {
        name: "debug/scripts",
        inputs: debugging::scripts,
        targets: &[target("debug_script", debug_script, 60, 1)],
    },
    Kind {
        name: "debug/sessions",
        inputs: debugging::sessions,
        targets: &[target("debug_session", debug_session, 20, 20)],
    },
    Kind {
        name: "debug/conversations",
        inputs: debugging::conversations,
        targets: &[target("debug_adapter", debug_adapter, 60, 1)],
    },
    Kind {
        name: "lsp/conversations",
        inputs: language_server::conversations,
        targets: &[target("lsp_server", lsp_server, 60, 1)],
    },
    Kind { name: "compiled/agal", inputs: inputs::agal, targets: &[target("compiled", compiled, 20, 20)] },
    Kind {
        name: "compiled/pica200",
        inputs: inputs::pica200,
        targets: &[target("pica200_compiled", pica200_compiled, 20, 10)],
    },
    Kind {
        name: "compiled/maxwell",
        inputs: inputs::maxwell_kernels,
        targets: &[target("maxwell_compiled", maxwell_compiled, 15, 20)],
    },
    Kind {
        name: "compiled/agx",
        inputs: inputs::agx,
        targets: &[target("agx_compiled", agx_compiled, 5, 20)],
    },
    Kind {
        name: "compiled/ir",
        inputs: inputs::functions,
        targets: &[target("ir_compiled", ir_compiled, 5, 20)],
    },
    Kind { name: "ir/text", inputs: inputs::functions, targets: &[target("ir_text", ir_text, 5, 40)] },
];
