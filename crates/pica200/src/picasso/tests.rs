use super::*;
use crate::rules;
use alloc::{format, string::ToString};
use shisa_diag::line_column;

fn files(texts: &[&str], options: Options) -> Assembly {
    let sources: Vec<Source<'_>> = texts.iter().map(|text| Source { name: "file", text }).collect();
    assemble(&sources, &options, &Limits::default())
}

fn one(text: &str) -> Assembly {
    files(&[text], Options::default())
}

/// The body of `main` as words.
fn words(body: &str) -> Vec<u32> {
    let done = one(&format!(".proc main\n{body}\nend\n.end"));
    done.shbin.unwrap_or_else(|| panic!("{:?}", done.findings)).code
}

/// Code and line of each finding.
fn told(done: &Assembly, text: &str) -> Vec<String> {
    let line = |d: &Diagnostic| line_column(text, d.offset().unwrap_or(0)).0;
    done.findings.iter().map(|f| format!("{} {}", line(&f.diagnostic), f.diagnostic.code)).collect()
}

/// A program with one fault; all findings about it by default and as picasso assembles.
fn fault(text: &str) -> (Vec<String>, Vec<String>) {
    let strict = one(text);
    let compatible = files(&[text], Options { picasso_compatible: true, ..Options::default() });
    assert!(strict.bytes.is_none(), "by default it is refused: {:?}", strict.findings);
    assert!(compatible.bytes.is_some(), "picasso takes it: {:?}", compatible.findings);
    (told(&strict, text), told(&compatible, text))
}

#[test]
fn instructions_share_descriptors_where_they_agree() {
    let done = one(".proc main\nmov r0.x, r1.xxxx\nmov r0.x, r1.xyzw\nmov r0.xy, r1.yy\nend\n.end");
    let file = done.shbin.unwrap();
    let numbers: Vec<u32> = file.code.iter().map(|w| w & 0x7f).collect();
    assert_eq!((&numbers[..3], file.descriptors.len()), (&[0, 0, 1][..], 2));
}

#[test]
fn blocks_get_nops() {
    // A jump may not end a procedure, nor may two blocks end at once.
    assert_eq!(
        words("jmpu b0, x\nx:\nifu b1\nfor i0\nnop\n.end\n.end")[1..],
        [0x9c40_1400, 0xa400_0c00, 0x8400_0000, 0x8400_0000, 0x8800_0000]
    );
    let done = files(
        &[".proc main\ncall f\nend\n.end\n.proc f\nnop\ncall g\n.end\n.proc g\nnop\n.end"],
        Options { no_padding: true, ..Options::default() },
    );
    assert_eq!(done.shbin.unwrap().code.len(), 5);
    assert_eq!(done.findings[0].diagnostic.code, "pica-flow-at-end");
}

#[test]
fn the_inverted_row_is_chosen_by_the_operands() {
    assert_eq!(words("sge r0, r1, c2")[0] >> 26, 0x1a);
    assert_eq!(words("sge r0, c2, r1")[0] >> 26, 0x09);
    assert_eq!(words("mad r0, r1, r2, c3[aL]")[0] >> 29, 6);
}

#[test]
fn numbers_stand_for_names() {
    assert_eq!(
        words("call 12, 3\njmpc cmp.x, 26\nifc cmp.x, 9, 2\nfor i0, 13")[..4],
        [0x9000_3003, 0xb380_6800, 0xa380_2402, 0xa400_3400]
    );
}

#[test]
fn descriptors_can_be_chosen() {
    let text = ".opdesc 1 0x0006c36f 15\n.proc main\nadd r0, r1, r2, d1\nmov r3, r4\nend\n.end";
    let file = one(text).shbin.unwrap();
    assert_eq!((file.code[0] & 0x7f, file.code[1] & 0x7f), (1, 0));
    assert_eq!((file.descriptors[1].bits, file.descriptors[1].flags), (0x0006_c36f, 15));
    let text = ".opdesc 0 0x0006c36f\n.proc main\nadd r0.x, r1, r2, d0\nend\n.end";
    assert_eq!(told(&one(text), text), ["3 pica-descriptors"]);
}

#[test]
fn what_picasso_gets_wrong_is_refused_or_kept() {
    let program = |line: &str| format!(".fvec u\n.proc main\n{line}\nend\n.end\n.alias t r1");
    for (line, code) in [
        ("mov R3, r0", "pica-register-bank"),
        ("mov r0, o1", "pica-register-bank"),
        ("mov v0, r1", "pica-register-bank"),
        ("mov r0, r15[1]", "pica-index-range"),
        ("mov r0, c4[a0.x-1]", "pica-index"),
        ("mov r0, u[x]", "pica-number"),
        ("mov r0, r1.", "pica-swizzle"),
        ("mov r0, r1z", "pica-text-ignored"),
        ("for i4\nnop\n.end", "pica-no-register"),
        ("ifu b0.x\nnop\n.end", "pica-operand"),
        (".constf k(3e19, 0, 0, 0)", "pica-constant-range"),
        (".constf k(1, 2, 3, 4) ,", "pica-text-ignored"),
        (".consti k(300, 0, 0, 0)", "pica-constant-range"),
        (".fvec v[2*3]", "pica-number"),
        ("setemit 1, twist", "pica-emit-flag"),
    ] {
        let text = program(line);
        let (strict, compatible) = fault(&text);
        let wanted = format!("3 {code}");
        assert!(
            strict.contains(&wanted) && compatible.contains(&wanted),
            "{line}: {strict:?} {compatible:?}"
        );
    }
}

#[test]
fn what_only_picasso_refuses_is_taken() {
    assert_eq!(words("mov r0, v15\nmov r0, r4[-2]\nthere : jmpu b0, there").len(), 4);
    let done = one(".fvec m [2]\n.out a dummy o1\n.out b dummy o9\n.proc main\nmov r0, m [1]\nend\n.end");
    assert!(done.bytes.is_some(), "{:?}", done.findings);
}

#[test]
fn every_fault_is_told() {
    let text = ".in a\n.in a\n.proc main\nmov r0, nothing\nadd r0, r1\nblend r0, r1\njmpu b0, x\ncall f\n";
    let wanted = [
        "1 pica-unused-input",
        "2 pica-duplicate-name",
        "3 pica-block",
        "4 pica-unknown-name",
        "5 pica-operand-count",
        "6 pica-unknown-instruction",
        "7 pica-undefined-name",
        "8 pica-undefined-name",
    ];
    let done = one(text);
    assert_eq!(told(&done, text), wanted);
}

#[test]
fn a_block_of_256_words_cannot_be_called() {
    let body = "nop\n".repeat(256);
    let text = format!(".proc long\n{body}.end\n.proc main\ncall long\nend\n.end");
    let (strict, _) = fault(&text);
    assert_eq!(strict, ["260 pica-block-length"]);
    let text = format!(".proc main\nifu b0\nnop\n.else\n{body}.end\nend\n.end");
    assert_eq!(fault(&text).0, ["2 pica-block-length"]);
}

#[test]
fn files_share_uniforms_and_procedures() {
    let layout = ".nodvle\n.fvec view[4], light c40\n.bool _hidden\n";
    let vertex = ".fvec light\n.setb b0 true\n.proc main\nmov r0, light\ncall f\nend\n.end";
    let library = ".nodvle\n.proc f\nnop\n.end";
    let done = files(&[layout, vertex, library], Options::default());
    let file = done.shbin.unwrap_or_else(|| panic!("{:?}", done.findings));
    let program = &file.programs[0];
    assert_eq!((file.programs.len(), program.uniforms.len()), (1, 1));
    assert_eq!(
        (program.uniforms[0].first, program.name(program.uniforms[0].name)),
        (0x10 + 40, Some("light"))
    );
    assert_eq!(file.code[1], 0x9000_0c01);
    assert!(done.header.contains("#define VSH_FVEC_light 0x28\n") && !done.header.contains("_hidden"));
}

/// picasso ignores what follows a register's number; a comma there is harmless, other text is not.
#[test]
fn a_comma_after_a_register_is_a_warning() {
    let source = |text: &str| format!(".setb {text}\n.out - position\n.proc main\nmov o0, v0\nend\n.end");
    let plain = files(&[&source("b0 true")], Options::default());
    let comma = files(&[&source("b0, true")], Options::default());
    assert_eq!((plain.findings.len(), comma.bytes), (0, plain.bytes));
    let [found] = &comma.findings[..] else { panic!("{:?}", comma.findings) };
    assert_eq!((found.diagnostic.code, found.diagnostic.severity), ("pica-text-ignored", Severity::Warning));
    assert!(files(&[&source("b0; true")], Options::default()).bytes.is_none());
}

#[test]
fn geometry_programs_have_uniforms_of_their_own() {
    let vertex = ".fvec a[10]\n.out p dummy\n.proc main\nmov p, a\nend\n.end";
    let geometry = ".gsh fixed c8 c0 4\n.entry gmain\n.fvec a\n.out p position\n.proc gmain\nmov r0, a\nsetemit 0\nmov p, r0\nemit\nend\n.end";
    let file = files(&[vertex, geometry], Options::default()).shbin.unwrap();
    let [v, g] = &file.programs[..] else { panic!("two programs") };
    assert_eq!((v.kind, g.kind, v.uniforms[0].last, g.uniforms[0].first), (0, 1, 0x19, 0x18));
    assert_eq!((g.geometry.mode, g.geometry.fixed, g.entry, g.end), (2, 4, 2, 7));
}

#[test]
fn tables_of_labels_and_lines() {
    let text = "# 10 \"a.inc\"\n.proc main\nhere: nop\nend\n.end";
    let options = Options { labels: true, lines: true, ..Options::default() };
    let file = files(&[text], options).shbin.unwrap();
    assert_eq!((file.line(0), file.line(1)), (Some(("a.inc", 11)), Some(("a.inc", 12))));
    let p = &file.programs[0];
    let labels: Vec<_> = p.labels.iter().map(|l| (p.name(l.name).unwrap(), l.at, l.length)).collect();
    assert_eq!(labels, [("here", 0, u32::MAX), ("main", 0, 2)]);
}

/// A file with everything that picasso cannot express is reproduced from its directives.
#[test]
fn directives_of_our_own() {
    let text = "\
.pool 0x0c02\n.nopad\n.opdesc 0 0x8006c36f 7\n.opdesc 1 3\n.word 0x13000000\n.word 0xffffffff\n\
.line \"a.vsh\" 3\n.line 0 4\n\
.dvle 0x1003 1 2\n.entry 1 0x20\n.masks 3 5\n.geometry 1 2 3 4\n\
.constant 2 95 0x3f0000 0 0 0x3f0000\n.label 0x10001 4 0xffffffff \"lo\\x3ap\"\n\
.output 3 1 0x13 9\n.uniform \"world\" 0x10 0x13\n.uniform 0 0x78 0x78\n\
.dvle\n.entry 0 0\n.symbols \"a\\x00b\\x00\"\n.uniform 2 0 0\n";
    let done = one(text);
    let file = done.shbin.unwrap_or_else(|| panic!("{:?}", done.findings));
    assert_eq!((file.version, &file.code[..]), (0x0c02, &[0x1300_0000, 0xffff_ffff][..]));
    assert_eq!((file.line(0), file.line(1)), (Some(("a.vsh", 3)), Some(("a.vsh", 4))));
    let [first, second] = &file.programs[..] else { panic!("two programs") };
    assert_eq!((first.version, first.kind, first.flags, first.entry, first.end), (0x1003, 1, 2, 1, 32));
    assert_eq!((first.inputs, first.output_mask, first.geometry.variable), (3, 5, 3));
    assert_eq!((first.constants[0].register, first.constants[0].data[3]), (95, 0x3f_0000));
    assert_eq!((first.labels[0].id, first.name(first.labels[0].name)), (0x10001, Some("lo:p")));
    assert_eq!((first.outputs[0].mask, first.outputs[0].unknown), (0x13, 9));
    assert_eq!((first.name(first.uniforms[0].name), first.uniforms[1].name), (Some("world"), 0));
    assert_eq!((second.version, second.name(second.uniforms[0].name)), (0x1002, Some("b")));
    let read = Shbin::read(&done.bytes.unwrap(), &Limits::default()).unwrap();
    assert_eq!(read, file);
}

#[test]
fn constants_round_as_asked() {
    let text = ".constf k(0.1, -0.1, 0, 0)\n.proc main\nmov r0, k\nend\n.end";
    let data = |options| files(&[text], options).shbin.unwrap().programs[0].constants[0].data;
    assert_eq!(data(Options::default())[..2], [0x3b_9999, 0xbb_9999]);
    assert_eq!(data(Options { nearest: true, ..Options::default() })[..2], [0x3b_999a, 0xbb_999a]);
    let compatible = Options { nearest: true, picasso_compatible: true, ..Options::default() };
    assert_eq!(data(compatible)[0], 0x3b_9999);
}

#[test]
fn the_listing_shows_words_by_line() {
    let sources = [Source { name: "a", text: ".proc main\n\tnop\n\tifu b0\n\t.end\n\tend\n.end" }];
    let done = assemble(&sources, &Options::default(), &Limits::default());
    let text = listing(&sources, &done, &Limits::default()).unwrap();
    assert_eq!(text.lines().nth(2), Some("   0  84000000  \tnop"));
    assert_eq!(text.lines().count(), 7, "{text}");
}

#[test]
fn limits_are_named() {
    let limits = Limits { instructions: 2, ..Limits::default() };
    let text = ".proc main\nnop\nnop\nnop\nend\n.end".to_string();
    let done = assemble(&[Source { name: "a", text: &text }], &Options::default(), &limits);
    assert!(done.findings.iter().any(|f| f.diagnostic.code == "limit-exceeded"), "{:?}", done.findings);
    let limits = Limits { file: 10, ..Limits::default() };
    let done = assemble(&[Source { name: "a", text: &text }], &Options::default(), &limits);
    assert_eq!(done.findings[0].diagnostic.code, "limit-exceeded");
    assert_eq!(assemble(&[], &Options::default(), &limits).findings.len(), 1);
}

#[test]
fn every_code_is_explained() {
    let sources = [
        include_str!("advice.rs"),
        include_str!("arrays.rs"),
        include_str!("assembler.rs"),
        include_str!("conditions.rs"),
        include_str!("constant_values.rs"),
        include_str!("declare.rs"),
        include_str!("directive.rs"),
        include_str!("extensions.rs"),
        include_str!("instruction.rs"),
        include_str!("link.rs"),
        include_str!("mnemonics.rs"),
        include_str!("mod.rs"),
        include_str!("nesting.rs"),
        include_str!("read_register.rs"),
        include_str!("source_text.rs"),
    ];
    let used = |source: &'static str| source.split("\"pica-").skip(1).filter_map(|t| t.split('"').next());
    for code in sources.into_iter().flat_map(used) {
        let full = format!("pica-{code}");
        let told = CODES.iter().map(|(c, _)| *c).chain(rules::ALL.iter().map(|r| r.code));
        assert_eq!(told.filter(|c| *c == full).count(), 1, "{full} is explained once");
    }
    for (code, _) in CODES {
        assert!(
            sources.iter().any(|s| s.contains(&format!("\"{code}\""))),
            "{code} is not reported anywhere"
        );
    }
}

/// Instructions share a descriptor if they agree in the bits that both read.
#[test]
fn components_that_are_not_read_do_not_count() {
    let descriptors = |a: &str, b: &str| {
        let done = one(&format!(".proc main\n{a}\n{b}\nend\n.end"));
        done.shbin.unwrap_or_else(|| panic!("{a}, {b}: {:?}", done.findings)).descriptors.len()
    };
    for (a, b, count) in [
        ("add r0.xy, r1.xyzw, r2.xyzw", "mul r0.xy, r1.xyxx, r2.xyww", 1),
        ("add r0.xyz, r1.xyzw, r2.xyzw", "mul r0.xyz, r1.xyxw, r2.xyzw", 2),
        ("add r0.xyz, r1.xyzw, r2.xyzw", "mul r0.xyz, r1.xyzw, r2.xyxw", 2),
        ("add r0.w, r1, r2", "add r0.w, r1.wwww, r2.zzzw", 1),
        ("mad r0.y, r1, r2, r3", "mad r0.y, r1.xyxx, r2.wyww, r3.zyzz", 1),
        ("mad r0.y, r1, r2, r3", "mad r0.y, r1, r2, r3.xzzw", 2),
        ("dp3 r0.x, r1.xyzw, r2.xyzw", "dp3 r0.x, r1.xyzx, r2.xyzy", 1),
        ("dp3 r0.x, r1.xyzw, r2.xyzw", "dp3 r0.x, r1.xyxw, r2.xyzw", 2),
        ("dp4 r0.x, r1.xyzw, r2.xyzw", "dp4 r0.x, r1.xyzx, r2.xyzw", 2),
        ("dph r0.x, r1.xyzw, r2.xyzw", "dph r0.x, r1.xyzx, r2.xyzw", 1),
        ("dph r0.x, r1.xyzw, r2.xyzw", "dph r0.x, r1.xyzw, r2.xyzx", 2),
        ("dph r0.x, r1.xyzw, c2.xyzw", "dph r0.x, r1.xyzx, c2.xyzw", 1),
        ("rcp r0, r1.xyzw", "rcp r0, r1.xxxx", 1),
        ("rcp r0, r1.xyzw", "rcp r0, r1.yyzw", 2),
        ("mova a0.x, r1.xyzw", "mova a0.x, r1.xxxx", 1),
        ("mova a0.xy, r1.xyzw", "mova a0.xy, r1.xyxx", 1),
        ("mova a0.xy, r1.xyzw", "mova a0.xy, r1.xxzw", 2),
        ("cmp r1.xyzw, eq, eq, r2.xyzw", "cmp r1.xyxx, eq, eq, r2.xyzw", 1),
        ("cmp r1.xyzw, eq, eq, r2.xyzw", "cmp r1.xyzw, eq, eq, r2.xyxx", 2),
        ("dst r0.x, r1.xyzw, r2.xyzw", "dst r0.x, r1.yyzw, r2.xyzw", 2),
        ("litp r0.x, r1.xyzw", "litp r0.x, r1.xyyw", 2),
        ("mov r0, r1", "mov r0, -r1", 2),
    ] {
        // Sharing may not change what is read: the second instruction has the components it names.
        assert_eq!(descriptors(a, b), count, "{a}; {b}");
    }
}

/// Descriptors past the 32nd are exchanged with others if an instruction with three sources needs them.
#[test]
fn three_sources_reach_the_first_descriptors() {
    let letters = ['x', 'y', 'z', 'w'];
    let swizzle = |n: usize| [n / 27, n / 9, n / 3, n].map(|i| letters[i % 3]).iter().collect::<String>();
    let mut body: String = (0..40).map(|n| format!("dp4 r0, r1.{}, r2\n", swizzle(n))).collect();
    body += "cmp r1.wwww, eq, eq, r2.wzyx\nmad r0.w, r1.wzyx, r2.zzzz, r3.yyyy\nfor i0\nnop\n.end\nend";
    let text = format!(".proc main\n{body}\n.end");
    let file = one(&text).shbin.unwrap();
    let pool: Vec<u32> = file.descriptors.iter().map(|d| d.bits).collect();
    let texts = crate::texts(&file);
    for (n, text) in texts.iter().enumerate().take(40) {
        // The last component repeats, so repetitions at the end are not written.
        let named = swizzle(n);
        let mut letters = named.as_str();
        while letters.len() > 1
            && letters.as_bytes()[letters.len() - 2] == letters.as_bytes()[letters.len() - 1]
        {
            letters = &letters[..letters.len() - 1];
        }
        let want = format!("dp4 r0, r1.{letters}, r2");
        assert!(text.starts_with(&want) || swizzle(n) == "xyzw", "{n}: {} {want}", text);
    }
    assert!(texts[41].starts_with("mad r0.w, r1.wzyx, r2.z, r3.y"), "{}", texts[41]);
    assert_eq!((file.code[41] & 0x1f) as usize, 0, "it uses the first that no other instruction needs");
    assert_eq!((file.code[0] & 0x7f, pool.len()), (41, 42));
    assert_eq!(file.code[42], 0xa400_ac00, "words without a descriptor are unchanged");
}
