//! The language of picasso.

use crate::targets::{sane, settings};
use shisa::diag::Severity;
use shisa::pica200::container::Shbin;
use shisa::pica200::picasso::{Options, Rules, Source, assemble, listing};

/// The sources of `examples/`: a vertex program and a geometry program.
pub(crate) const EXAMPLES: [&str; 2] =
    [include_str!("../../../examples/figure.v.pica"), include_str!("../../../examples/sprite.g.pica")];

/// Words for mutated sources, most of them invalid.
#[rustfmt::skip]
pub(crate) const WORDS: &[&str] = &[
    "r15[1]", "c95[1]", "[", "]", ".", "-", "!", ":", ";", "#", "\"", "é", "\0", ".end", ".else",
    ".proc", ".dvle", ".opdesc 0 1", ".word 0x13000000", ".layout rest 9 \"a\"", ".gsh point c95",
    ".constfa q[97]", ".fvec z[99999999999]", ".constf z(1,2,3,1e999)", "d5", "0x",
    "99999999999999999999", "\n", "for i3", "setemit 3", ".uniform \"q\" 0 0xffff", ".names \"\\xff\"",
];

/// Lines of a program, for bytes that are not text.
const LINES: [&str; 24] = [
    "add r0, r1, r2",
    "add r0.xy, c4[aL], -r2.zw",
    "mul r3.w, v0, v0.x",
    "dp4 o0.x, c0, r1",
    "sge r5, r2, c95",
    "mad r0.yz, r1, r2, c3[a0.x+4]",
    "mad r1, r2.wzyx, -c3, r4.x",
    "mova a0.xy, r0",
    "nop",
    "cmp r0, eq, le, r1.y",
    "rcp r2.x, r0.w",
    "litp r2, r1",
    "ifc cmp.x && !cmp.y",
    "ifu b3",
    "for i1",
    "breakc !cmp.x",
    ".else",
    ".end",
    ".proc inner",
    "callu b0, leaf",
    "call leaf",
    "jmpu !b1, back",
    "end",
    "dph r0, v1, c0[a0.y]",
];

/// A program of the lines that bytes select, with all blocks closed.
fn lines(data: &[u8]) -> String {
    let chosen = data.iter().take(400).map(|b| LINES[usize::from(*b) % LINES.len()]);
    let mut source = String::from(".proc leaf\nnop\n.end\n.proc main\nback:\n");
    let mut open = 0;
    for line in chosen {
        match line {
            ".end" | ".else" if open == 0 => continue,
            ".end" => open -= 1,
            _ if line.starts_with("if") || line == "for i1" || line == ".proc inner" => open += 1,
            _ => {}
        }
        source.push_str(line);
        source.push('\n');
    }
    (0..=open).for_each(|_| source.push_str(".end\n"));
    source
}

/// Any text assembles or is rejected with locations inside the text, with all options. Accepted output is readable, and
/// each of its words has a source line.
pub fn picasso(data: &[u8]) -> bool {
    let made;
    let text = match std::str::from_utf8(data) {
        Ok(text) => text,
        Err(_) => {
            made = lines(data);
            &made
        }
    };
    let settings = settings();
    let plain = Options::default();
    let all = Options {
        picasso_compatible: true,
        no_padding: true,
        nearest: true,
        labels: true,
        lines: true,
        rules: Rules::Enforce,
    };
    // Sometimes two sources.
    let half = (0..=text.len() / 2).rev().find(|at| text.is_char_boundary(*at)).unwrap_or(0);
    let (first, second) = text.split_at(half);
    let mut accepted = false;
    for (parts, options) in [(&[text][..], plain), (&[text][..], all), (&[first, second][..], plain)] {
        let sources: Vec<Source<'_>> = parts.iter().map(|text| Source { name: "source", text }).collect();
        let done = assemble(&sources, &options, &settings.limits);
        for found in &done.findings {
            sane(std::slice::from_ref(&found.diagnostic), parts[found.source].as_bytes());
        }
        let wrong = done.findings.iter().any(|f| f.diagnostic.severity == Severity::Error);
        // Violations of hardware rules do not prevent output if the rules are not enforced.
        let written = done.bytes.is_some() && options.rules == Rules::Enforce;
        assert!(written || done.bytes.is_none() == wrong, "a rejection has a reason: {:?}", done.findings);
        let (Some(bytes), Some(file)) = (&done.bytes, &done.shbin) else { continue };
        assert_eq!(done.words.len(), file.code.len(), "each word has a line");
        listing(&sources, &done, &settings.limits).expect("a listing of a short source");
        if file.layout.is_none() {
            let read = Shbin::read(bytes, &settings.limits).expect("written files can be read");
            assert_eq!(&read, file);
        }
        accepted = true;
    }
    accepted
}
