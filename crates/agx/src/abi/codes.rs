//! Codes of faults of parts.

use shisa_diag::Code;

/// Faults of parts, alone and together: each code with its meaning.
#[rustfmt::skip]
pub const CODES: &[(Code, &str)] = &[
    ("agx-abi-coefficient", "Coefficients are read that the part does not have, or that belong to the main part."),
    ("agx-abi-counter", "Conditions need the nesting counter, r0l: it is 0 before the first condition, is not overwritten inside of one, and every level is ended by the end of the part."),
    ("agx-abi-flag", "An instruction does something that a flag of the part's metadata must state."),
    ("agx-abi-memory", "The part uses threadgroup memory or a stack, but its metadata states that it has none."),
    ("agx-abi-preserve", "A register is overwritten that the part must preserve for the next one: r0l and r1l where samples are shaded one by one, r5 and r6 in a vertex prolog."),
    ("agx-abi-sample", "A part that runs once for each sample kills or tests samples by number. Only the sample in r1l is shaded in an iteration, so the others would be tested more than once."),
    ("agx-abi-stage", "An instruction belongs to another stage or to another part of the program."),
    ("agx-abi-undefined", "A register is read but never written, and the part does not receive it as an input."),
    ("agx-abi-uniform", "Uniforms are used that the part does not have, or that belong to another part or to the driver."),
    ("agx-abi-varying", "A vertex program writes each varying before the one marked as the last, or `no_var` where there is none."),
    ("agx-abi-wait", "The loads of a part must be waited for before it ends: the next part does not wait for them."),
    ("agx-link-attribute", "Vertex prolog and main part do not agree: a register is not written, is overwritten, or is written past what is read."),
    ("agx-link-coefficient", "The fragment prolog binds coefficients that the main part uses."),
    ("agx-link-component", "The epilog reads components of a colour of which the main part writes only others. A shader that does not set them leaves them undefined."),
    ("agx-link-output", "The epilog reads a colour, depth, stencil or mask that the main part does not write."),
    ("agx-link-role", "A part is used in the wrong role: its name or its key states whether it is a prolog, a main part or an epilog."),
    ("agx-link-samples", "Main part and epilog must be compiled for the loop of samples where one is requested, and only there. It has 1, 2 or 4 iterations."),
    ("agx-link-stage", "Parts of one program are of one stage. A vertex prolog also goes before the vertex shader of a geometry pipeline, which is compute; only fragment programs have an epilog."),
    ("agx-link-stop", "Every part but the last is compiled without a `stop`, and the last one with it. Where the linker writes a loop of samples it also writes the `stop`."),
    ("agx-link-uniform", "Vertex prolog and main part read each other's uniforms, or the prolog those that the driver does not have."),
    ("agx-part", "The file of a part is not a JSON object of code and metadata, or a field has the wrong kind."),
    ("agx-part-meta", "The metadata of a part contradicts itself or the code."),
    ("agx-part-range", "A part states that its code is at an offset where it has no bytes."),
    ("agx-part-stop", "A part ends the program but states that another follows, or its end is never reached."),
    ("internal-agx-samples", "A loop has a number of samples that the hardware does not have. This is a fault of shisa; please report it."),
];
