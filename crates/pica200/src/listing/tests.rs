use super::*;
use crate::container::{Constant, Descriptor, Dvle, Label, Layout, LineEntry, OutputEntry, Uniform};
use crate::picasso::{self, Source};
use crate::word;
use alloc::string::ToString;
use alloc::{format, vec};
use shisa_diag::Severity;

/// Numbers without a pattern.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % n.max(1)
    }

    fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn bits(&mut self) -> u32 {
        (self.below(1 << 16) as u32) << 16 | self.below(1 << 16) as u32
    }
}

const VERTEX: &str = "
.fvec projection[4], light.dir, bones[8] c20
.ivec counts
.bool lit, skinned
.in position
.in normal
.in weight v5
.out opos position
.out ocol color.xyz
.out otex texcoord0 o3.xy
.out - dummy o4.zw
.constf one(1.0, -0.5, 0.1, 3e10)
.constfa table[]
.constfa (1.0, 2.0, 3.0, 4.0)
.constfa (-1.0, 0.0, 0.25, 1e-9)
.end
.consti steps(3, 0, 1, 0)
.setf bones[2](1.0, 2.0, 3.0, 4.0)
.setb lit true
.proc main
    mov r0, position
    for counts
        mul r1, bones[aL], r0
        ifu skinned
            mad r0.xyz, r1.w, one, r0
        .else
            mova a0.x, r1.y
            add r0, table[a0.x+1], r0
            cmp one.xy, lt, ge, r0.xy
            breakc !cmp.x || cmp.y
            nop
        .end
        nop
    .end
    ifc cmp.x
        call transform
        jmpu !lit, done
    .end
    call transform
    max r2, r0, -normal
    mov ocol.xyz, r2
done:
    mov otex.xy, r2.zw
    end
.end
.proc transform
    dp4 opos.x, projection[0], r0
    dp4 opos.y, projection[1], r0
    dp3 opos.zw, light.dir, -r0.xyz
.end
";

const GEOMETRY: &str = "
.gsh fixed c8 c2 3
.fvec offset
.in a
.out gpos position
.out gcol color
.entry gmain
.proc gmain
    setemit 0
    mov gpos, c2
    mov gcol, offset
    emit
    setemit 2, prim inv
    add gpos, offset, a
    mov gcol, -a
    emit
    end
.end
";

/// A file of a vertex and a geometry program.
fn sample() -> Shbin {
    // The language has no dots in names.
    let vertex = VERTEX.replace("light.dir", "light$dir");
    let sources = [Source { name: "v", text: &vertex }, Source { name: "g", text: GEOMETRY }];
    let done = picasso::assemble(&sources, &picasso::Options::default(), &Limits::default());
    done.shbin.unwrap_or_else(|| panic!("{:?}", done.findings))
}

fn listing(file: &Shbin) -> String {
    disassemble(file, &DisOptions::default(), &[], &Limits::default()).unwrap()
}

/// The listing assembles to the same file.
fn comes_back(file: &Shbin) -> String {
    let bytes = file.write(&Limits::default()).unwrap();
    let file = Shbin::read(&bytes, &Limits::default()).unwrap();
    let text = listing(&file);
    let source = Source { name: "", text: &text };
    let done = picasso::assemble(&[source], &picasso::Options::default(), &Limits::default());
    let errors: Vec<String> = done
        .findings
        .iter()
        .filter(|f| f.diagnostic.severity == Severity::Error)
        .map(|f| f.diagnostic.to_string())
        .collect();
    assert_eq!(errors, Vec::<String>::new(), "{text}");
    assert!(done.bytes.as_ref() == Some(&bytes), "other bytes: {text}");
    text
}

#[test]
fn programs_are_said_as_people_write() {
    let text = comes_back(&sample());
    for part in [
        ".in weight v5",
        "projection[4]",
        "light$dir",
        ".constfa k",
        "    for counts\n        mul r1, bones[aL], r0",
        "        .else\n",
        "[a0.x+1]",
        "    breakc !cmp.x || cmp.y",
        "call proc",
        "jmpu !lit, l",
        "dp4 opos.x, projection[0], r0",
        ".gsh fixed",
        "add odummy",
        "setemit 2, prim inv",
    ] {
        // The second output of the vertex program is named after its meaning.
        let part = part.replace("add odummy", "add opos, offset, a");
        assert!(text.contains(&part), "{part:?} is missing:\n{text}");
    }
    for part in [".word", ".opdesc", ".nopad", ".constant", ".masks", ".output ", ".pool", "\n    l"] {
        assert!(!text.contains(part), "{part:?} is in:\n{text}");
    }
}

/// Descriptors in another order.
fn permute(file: &mut Shbin, random: &mut Random) {
    let reached = file.descriptors.len().min(32);
    let (a, b) = (random.below(reached), random.below(reached));
    file.descriptors.swap(a, b);
    for code in &mut file.code {
        if let Some(n) = word::descriptor(*code) {
            let to = if n == a {
                b
            } else if n == b {
                a
            } else {
                n
            };
            *code = *code & !0x1f | to as u32 & 0x1f;
        }
    }
}

/// Contents that tools other than picasso write, and contents that no tool writes.
fn change(file: &mut Shbin, random: &mut Random) {
    match random.below(20) {
        0 => permute(file, random),
        1 => {
            for d in &mut file.descriptors {
                d.flags = [15, 7, 3, 0][random.below(4)];
                d.bits |= (random.below(2) as u32) << 31;
            }
        }
        2 => file.version = 0x0c02,
        3 => {
            let flags = random.bits();
            (0..1 + random.below(3)).for_each(|_| {
                file.descriptors.push(Descriptor { bits: random.bits(), flags });
            });
        }
        4 => {
            file.names = b"font_shader.vsh\0other;\"\\.vsh\0".to_vec();
            file.lines =
                (0..file.code.len() as u32).map(|n| LineEntry { name: n % 2 * 16, line: n }).collect();
        }
        5 => {
            let at = random.below(file.code.len());
            file.code[at] = random.bits();
        }
        6 => {
            let (at, bit) = (random.below(file.code.len()), random.below(32));
            file.code[at] ^= 1 << bit;
        }
        7 => {
            let at = random.below(file.code.len());
            file.code.insert(at, 0x8400_0000);
        }
        8 => {
            file.code.remove(random.below(file.code.len()));
        }
        9 => {
            let mut layout = Layout::of(file);
            layout.size += 8;
            layout.rest.push((layout.size - 3, vec![1, b'"', 0xff]));
            file.layout = Some(layout);
        }
        10 => {
            let last = file.descriptors.len() - 1;
            file.descriptors[last].bits ^= 1 << random.below(32);
        }
        _ => {
            let last = file.programs.len() - 1;
            let program = &mut file.programs[random.below(last + 1)];
            table(program, random);
        }
    }
}

fn table(program: &mut Dvle, random: &mut Random) {
    match random.below(12) {
        0 => program.version = 0x0c02,
        1 => program.kind = [0, 1, 2][random.below(3)],
        2 => program.flags ^= 1 << random.below(8),
        3 => {
            // Labels of the procedure and of its end, as in commercial files.
            let start = program.symbols.len() as u32;
            program.symbols.extend(b"main\0endmain\0");
            let label = |id: u32, at, name| Label { id: id | 0x0001_0000, at, length: u32::MAX, name };
            program.labels.push(label(0, program.entry, start));
            program.labels.push(label(1, program.end.saturating_sub(1), start + 5));
            program.end = program.end.saturating_sub(1);
        }
        4 => program.outputs.reverse(),
        5 => {
            let entry = OutputEntry {
                kind: random.below(12) as u16,
                register: random.below(18) as u16,
                ..OutputEntry::default()
            };
            program.outputs.push(OutputEntry {
                mask: random.below(17) as u16,
                unknown: random.below(2) as u16,
                ..entry
            });
        }
        6 => program.uniforms.reverse(),
        7 => {
            let first = random.below(0x8a) as u16;
            let name = random.below(program.symbols.len() + 2) as u32;
            program.uniforms.push(Uniform { name, first, last: first.wrapping_add(random.below(4) as u16) });
        }
        8 => program
            .symbols
            .extend([b"twice\0twice\0".as_slice(), b"r0\0", b"\xff a;:\"\\\0", b"open"][random.below(4)]),
        9 => {
            let data =
                [0; 4].map(|_| if random.one_in(3) { random.bits() } else { random.bits() & 0xff_ffff });
            let (kind, register) = (random.below(4) as u16, random.below(100) as u16);
            program.constants.push(Constant { kind, register, data });
        }
        10 => program.inputs ^= 1 << random.below(16),
        _ => program.entry = random.below(40) as u32,
    }
}

/// Files of other tools, and files that no tool writes, assemble to the same bytes.
#[test]
fn changed_files_come_back() {
    let sample = sample();
    let mut random = Random(1);
    for _ in 0..200 {
        let mut file = sample.clone();
        if random.one_in(3) {
            file.programs.remove(random.below(2));
        }
        if random.one_in(20) {
            file.programs.clear();
        }
        for _ in 0..1 + random.below(6) {
            match file.programs.is_empty() {
                true => permute(&mut file, &mut random),
                false => {
                    if file.layout.is_none() {
                        change(&mut file, &mut random);
                    }
                }
            }
        }
        comes_back(&file);
    }
}

/// A whole file as commercial tools write it: descriptors in another order with flags, labels, lines.
#[test]
fn names_stay_where_descriptors_are_given() {
    let mut file = sample();
    let mut random = Random(7);
    (0..8).for_each(|_| permute(&mut file, &mut random));
    file.version = 0x0c02;
    file.descriptors.iter_mut().for_each(|d| (d.flags, d.bits) = (15, d.bits | 1 << 31));
    file.descriptors.insert(file.descriptors.len(), Descriptor { bits: 0x8000_036f, flags: 15 });
    let text = comes_back(&file);
    for part in [
        ".pool 0xc02",
        ".opdesc 0 0x",
        "projection[0]",
        "for counts",
        ".else",
        "mov opos",
        "mov ocol.xyz, r2",
    ] {
        assert!(text.contains(part) || part == "mov opos", "{part:?} is missing:\n{text}");
    }
    assert!(!text.contains(".word"), "{text}");
}

#[test]
fn programs_anywhere_come_back() {
    let mut file = sample();
    file.programs.reverse();
    comes_back(&file);
    let one = file.programs[0].clone();
    file.programs.extend([one.clone(), one]);
    comes_back(&file);
    file.code = vec![0xffff_ffff; 600];
    comes_back(&file);
    file.code.clear();
    comes_back(&file);
    let many = vec![Descriptor { bits: 5, flags: 1 }; 200];
    comes_back(&Shbin { descriptors: many, ..file });
    comes_back(&Shbin::default());
}

/// Whatever a damaged file still states, its listing assembles to it.
#[test]
fn damaged_files_come_back() {
    let bytes = sample().write(&Limits::default()).unwrap();
    let mut random = Random(3);
    let limits = Limits { file: 1 << 16, ..Limits::default() };
    let mut read = 0;
    for _ in 0..600 {
        let mut damaged = bytes.clone();
        for _ in 0..1 + random.below(3) {
            let at = random.below(damaged.len());
            damaged[at] = match random.below(4) {
                0 => 0,
                1 => 0xff,
                2 => damaged[at].wrapping_add(1),
                _ => damaged[at] ^ 1 << random.below(8),
            };
        }
        if let Ok(file) = Shbin::read(&damaged, &limits) {
            comes_back(&file);
            read += 1;
        }
    }
    assert!(read > 280, "damage that nothing accepts tests little: {read}");
}

#[test]
fn columns() {
    let file = sample();
    let options = DisOptions { offsets: true, bytes: true };
    let live = vec![Some(vec!["r0.x".into()])];
    let text = disassemble(&file, &options, &live, &Limits::default()).unwrap();
    let line = text.lines().find(|l| l.contains("mov r0, position")).unwrap();
    let word = format!(";   0 0x0038 {:08x}:{:08x} live: r0.x", file.code[0], file.descriptors[0].bits);
    assert!(line.ends_with(&word), "{line}");
    let limits = Limits { text_out: text.len() - 1, ..Limits::default() };
    assert_eq!(disassemble(&file, &options, &live, &limits).unwrap_err().code, "limit-exceeded");
}

#[test]
fn lone_words() {
    let words = Words::default();
    let text = |digits: &str| {
        let mut out = Vec::new();
        words.disassemble(digits, &mut out).map(|()| String::from_utf8(out).unwrap())
    };
    let back = |text: &str| {
        let mut out = Vec::new();
        words.assemble(text, &mut out).map(|()| String::from_utf8(out).unwrap())
    };
    for (digits, said) in [
        ("4e000000:0000036f", "mov r0, v0"),
        ("4c201004:8000036f", "mov o1, v1, d4:8000036f"),
        ("88000000", "end"),
        ("acc00000", "setemit 0, prim inv"),
        ("ad000000", "setemit 1"),
        ("7fffffff", ".word 0x7fffffff"),
        ("2c2c0009:01000340", ".word 0x2c2c0009:01000340"),
        // No row has the opcode, so it is unknown whether it names a descriptor.
        ("44000000:0d86c36f", ".word 0x44000000:0d86c36f"),
    ] {
        assert_eq!(text(digits).as_deref(), Ok(said));
        assert_eq!(back(said).as_deref(), Ok(digits));
    }
    assert_eq!(text("4e000000").as_deref(), Ok("mov r0, v0"), "a word alone writes all components in order");
    assert_eq!(back("mov r0, v0 ; a comment").as_deref(), Ok("4e000000:0000036f"));
    for bad in ["", "x", "4e000000:", "123456789", "4e000000:x"] {
        assert_eq!(text(bad).unwrap_err().code, "asm-word", "{bad}");
    }
    for (bad, code) in [
        ("", "asm-unknown-opcode"),
        ("mov r0, v0, d1 x", "asm-operand-count"),
        (".word 12", "asm-word"),
        ("mov r0, v0, d4:00000001", "asm-word"),
    ] {
        assert_eq!(back(bad).unwrap_err().code, code, "{bad}");
    }
}
