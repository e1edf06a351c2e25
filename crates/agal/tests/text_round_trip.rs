//! Bytes to text and back, for any bytes; faulty text never panics.

use shisa_agal::{
    Agal, AsmOptions, Ctx, DisOptions, LAST_VERSION, Options, Program, Syntax, Token, Words, assemble,
    assemble_macros, disassemble, token,
};
use shisa_diag::Limits;
use shisa_ir::Stage;
use shisa_rows::{Insn, Isa, Line};

/// A small random number generator, the same on every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }

    fn below(&mut self, n: usize) -> usize {
        (self.next() >> 16) as usize % n
    }
}

#[track_caller]
fn comes_back(bytes: &[u8]) {
    let limits = Limits::default();
    let options = DisOptions {
        offsets: bytes.len().is_multiple_of(2),
        bytes: bytes.len().is_multiple_of(3),
        ..DisOptions::default()
    };
    let text = disassemble(bytes, &options, &limits).expect("within the limits");
    let back = assemble(&text, &AsmOptions::default(), &limits);
    assert_eq!(back.bytes().as_deref(), Some(bytes), "{text}\n{:#?}", back.diagnostics);
}

/// A token with an existing opcode and random fields, most of them at meaningful bits.
fn token(random: &mut Random) -> Token {
    let forms = Agal::table().forms();
    let mut t = forms[random.below(forms.len())].template();
    t[0] |= small_number(random, 0x070f_ffff) << 32;
    t[1] = small_number(random, 0x8003_0f0f_ffff_ffff);
    t[2] = small_number(random, 0x8003_0f0f_ffff_ffff);
    match random.below(8) {
        0 => t[2] = random.next() & 0x5133_7305_00ff_001f,
        1 => t[1] &= 0x0000_0007_ff00_ffff,
        2 => t[2] = 0,
        3 => t[random.below(3)] ^= 1 << random.below(64),
        4 => t[0] &= 0xffff_ffff,
        _ => t[1] &= 0x0000_000f_ff00_ffff,
    }
    t
}

/// Random bits of `mask`, with a register number that often exists.
fn small_number(random: &mut Random, mask: u64) -> u64 {
    (random.next() & mask & !0xffff) | (random.next() % 30)
}

#[test]
fn any_bytes_come_back() {
    let mut random = Random(1);
    for len in 0..300 {
        for _ in 0..4 {
            let mut bytes: Vec<u8> = (0..len).map(|_| random.next() as u8).collect();
            comes_back(&bytes);
            let header = [0xa0, 1 + (len % 4) as u8, 0, 0, 0, 0xa1, (len % 2) as u8];
            let n = header.len().min(bytes.len());
            bytes[..n].copy_from_slice(&header[..n]);
            comes_back(&bytes);
        }
    }
}

#[test]
fn any_tokens_come_back() {
    let mut random = Random(2);
    for round in 0..1000 {
        let stage = if round % 2 == 0 { Stage::Vertex } else { Stage::Fragment };
        let tokens = (0..100).map(|_| token(&mut random)).collect();
        let program = Program { version: 1 + round % LAST_VERSION, stage, tokens, trailing: Vec::new() };
        comes_back(&program.write());
    }
}

const SAMPLE: &str = "// agal 2 fragment
tex ft0, v0, fs0 <2d,linear,miplinear,repeat,-1.5>
dp3 ft1.x, v1.xyz, fc0.xyz
ife ft1.x, fc1.y
mul ft0, ft0, fc2
els
nrm ft0.xyz, v1
eif
sat oc, ft0
";

const SAMPLE_VERTEX: &str = "// agal 3 vertex
m44 vt0, va0, vc0
mov vt1, vc[va1.x+4].wzyx
add vt0.xy, vt0, iid.x
mov op, vt0
mov v0, vt1
";

#[test]
fn programs_cut_or_changed_anywhere_come_back() {
    for source in [SAMPLE, SAMPLE_VERTEX] {
        let assembly = assemble(source, &AsmOptions::default(), &Limits::default());
        let bytes = assembly.bytes().unwrap_or_else(|| panic!("{:#?}", assembly.diagnostics));
        for at in 0..=bytes.len() {
            comes_back(&bytes[..at]);
        }
        for at in 0..bytes.len() {
            let changes = (0..8).map(|b| bytes[at] ^ 1 << b).chain([0, 0xff]);
            for value in changes {
                let mut changed = bytes.clone();
                changed[at] = value;
                comes_back(&changed);
            }
        }
    }
}

#[test]
fn words_come_back_one_by_one() {
    let mut random = Random(3);
    for stage in [Stage::Vertex, Stage::Fragment] {
        for version in 1..=LAST_VERSION {
            let mut words = Words::new(version, stage);
            for _ in 0..5000 {
                let token = token(&mut random);
                let digits: String = token::split(&token).iter().map(|b| format!("{b:02x}")).collect();
                let (mut text, mut back) = (Vec::new(), Vec::new());
                words.disassemble(&digits, &mut text).unwrap();
                let mut printed = Vec::new();
                words.print(&token, &mut Line::new(&mut printed));
                assert_eq!(String::from_utf8_lossy(&printed), String::from_utf8_lossy(&text));
                let text = String::from_utf8(text).unwrap();
                words.assemble(&text, &mut back).unwrap_or_else(|d| panic!("{text}: {d}"));
                assert_eq!(String::from_utf8(back).unwrap(), digits, "{text}");
            }
        }
    }
}

/// The examples of the rows are valid in both directions.
#[test]
fn examples_hold() {
    let options = Options::default();
    let mut n = 0;
    for form in Agal::table().forms() {
        for (text, word) in form.examples {
            let insn = Insn::<Agal>::decode(*word).unwrap();
            let printed = |stage| {
                let ctx = Ctx { version: 4, stage, options: &options };
                let mut out = Vec::new();
                shisa_rows::print(&insn, ctx, &mut shisa_rows::Line::new(&mut out));
                assert!(shisa_rows::faithful(&insn, ctx));
                String::from_utf8(out).unwrap()
            };
            // An example shows its stage only by the names of its registers.
            let stage = [Stage::Vertex, Stage::Fragment].into_iter().find(|s| printed(*s) == *text);
            assert!(stage.is_some(), "{text} is printed as {}", printed(Stage::Vertex));
            let asm = AsmOptions { version: Some(4), stage, unchecked: true, ..AsmOptions::default() };
            assert_eq!(assemble(text, &asm, &Limits::default()).program.unwrap().tokens, [*word]);
            n += 1;
        }
    }
    assert!(n > 3);
}

#[test]
fn changed_text_never_panics() {
    const PIECES: &[&str] = &[
        "",
        " ",
        ",",
        "\n",
        "<",
        ">",
        "[",
        "]",
        ".",
        "+",
        "-",
        "{raw ",
        "}",
        "//",
        "vc",
        "ft0",
        "xyzw",
        "2d",
        "tex",
        "mov",
        "99999999999999999999",
        "\u{e9}",
        "\t",
        "\0",
        ".token ",
        ".bytes 0",
        ".header a0",
        "1e400",
        "#",
        ";",
    ];
    let mut random = Random(4);
    let limits = Limits::default();
    let lines: Vec<&str> = SAMPLE.lines().chain(SAMPLE_VERTEX.lines()).collect();
    for round in 0..25_000 {
        let mut text = String::from("// agal 2 fragment\n");
        for _ in 0..3 {
            let mut line: Vec<char> = lines[random.below(lines.len())].chars().collect();
            for _ in 0..random.below(4) {
                let (from, len) = (random.below(line.len() + 1), random.below(4));
                let to = (from + len).min(line.len());
                line.splice(from..to, PIECES[random.below(PIECES.len())].chars());
            }
            text.extend(line);
            text.push('\n');
        }
        let options = AsmOptions { lenient: round % 4 == 0, ..AsmOptions::default() };
        let assembly = assemble(&text, &options, &limits);
        for d in &assembly.diagnostics {
            assert!(!d.labels.is_empty(), "{d} has no location in {text}");
            assert!(
                d.labels.iter().all(|l| text.get(l.span.range()).is_some()),
                "{d:?} points outside {text}"
            );
        }
        let wrong = assembly.diagnostics.iter().any(|d| d.severity == shisa_diag::Severity::Error);
        assert_eq!(assembly.program.is_none(), wrong, "{text}");
        if let Some(bytes) = assembly.bytes() {
            comes_back(&bytes);
            let adobe = DisOptions { syntax: Syntax::Adobe, ..DisOptions::default() };
            assert!(disassemble(&bytes, &adobe, &limits).is_ok());
        }
    }
}

const MACROS: &str = "alias fc0, C(0.5, 1); alias v0, uv
macro Mix(a, b, t) { out = b - a; out = out * t; out = out + a }
#define ON = 1 + 2 * 3
#if ON > 6 && !(ON == 2)
ft0 = tex<2d,linear>(uv.xy * 0.5, fs0) /* c */
#else
ft0 = uv
#endif
ft1 = Mix(ft0, v1, 0.5) + -v1 * (ft0 - 1)
oc = ft1
";

#[test]
fn changed_macros_never_panic() {
    const PIECES: &[&str] = &[
        "",
        " ",
        ",",
        "\n",
        ";",
        "<",
        ">",
        "[",
        "]",
        "(",
        ")",
        "{",
        "}",
        ".",
        "+",
        "-",
        "*",
        "/",
        "=",
        "/*",
        "*/",
        "//",
        "#if",
        "#endif",
        "#else",
        "#define",
        "macro ",
        "alias ",
        "Mix(",
        "out",
        "ft0",
        "xyzw",
        "1e9",
        "99999999999999",
        "\u{e9}",
        "\0",
        "!",
        "&&",
    ];
    let mut random = Random(5);
    let limits = Limits::default();
    let options = AsmOptions { version: Some(1), stage: Some(Stage::Fragment), ..AsmOptions::default() };
    assert!(assemble_macros(MACROS, &options, &limits).bytes().is_some());
    for _ in 0..10_000 {
        let mut text: Vec<char> = MACROS.chars().collect();
        for _ in 0..1 + random.below(5) {
            let (from, len) = (random.below(text.len() + 1), random.below(6));
            let to = (from + len).min(text.len());
            text.splice(from..to, PIECES[random.below(PIECES.len())].chars());
        }
        let text: String = text.into_iter().collect();
        let assembly = assemble_macros(&text, &options, &limits);
        for label in assembly.diagnostics.iter().flat_map(|d| &d.labels) {
            assert!(text.get(label.span.range()).is_some(), "{label:?} points outside {text}");
        }
        let wrong = assembly.diagnostics.iter().any(|d| d.severity == shisa_diag::Severity::Error);
        assert_eq!(assembly.program.is_none(), wrong, "{text}");
    }
}

#[test]
fn nesting_without_end_is_refused() {
    let limits = Limits { nesting: usize::MAX, ..Limits::default() };
    let options = AsmOptions { version: Some(1), stage: Some(Stage::Fragment), ..AsmOptions::default() };
    let n = 50_000;
    let chain: String = (0..n).map(|i| format!("macro M{i}(a) {{ out = M{}(a + a) }}\n", i + 1)).collect();
    let sources = [
        format!("oc = {}v0", "(".repeat(n)),
        format!("oc = {}v0", "-".repeat(n)),
        format!("oc = {}v0", "rcp(".repeat(n)),
        format!("#if {}1\n#endif\noc = v0", "!".repeat(n)),
        format!("#if {}1\n#endif\noc = v0", "(".repeat(n)),
        format!("oc = v0{}", " + v0 * v1".repeat(n)),
        format!("{chain}oc = M0(v0)"),
    ];
    let all = move || {
        for source in sources {
            let assembly = assemble_macros(&source, &options, &limits);
            assert!(assembly.program.is_none(), "{}", &source[..40]);
            assert!(!assembly.diagnostics.is_empty());
        }
    };
    // WebAssembly provides no more stack than this.
    let small = std::thread::Builder::new().stack_size(1 << 20).spawn(all);
    small.unwrap().join().unwrap();
}

/// A line with many faults does not yield as many findings.
#[test]
fn long_lines_keep_few_findings() {
    let limits = Limits::default();
    for piece in ["! ", "v0 ", "<2d> ", "< ", "[", "v0.", ",", "a=", "vc[va0.x] "] {
        for head in ["mov ", "tex ft0, v0, fs0 <", "", "alias ", "#if ", "oc = "] {
            let line = format!("{head}{}", piece.repeat(20_000));
            let options =
                AsmOptions { version: Some(1), stage: Some(Stage::Vertex), ..AsmOptions::default() };
            let lenient = AsmOptions { lenient: true, ..options };
            for assembly in [
                assemble(&line, &options, &limits),
                assemble(&line, &lenient, &limits),
                assemble_macros(&line, &options, &limits),
            ] {
                assert!(assembly.diagnostics.len() <= 64, "{head}{piece}: {}", assembly.diagnostics.len());
            }
        }
    }
}
