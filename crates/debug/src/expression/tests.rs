use super::Expression;
use crate::names::Names;
use crate::view::View;
use shisa_diag::Diagnostic;
use shisa_eval::{Plane, Portion};
use shisa_ir::{At, File, FileId, FileKind, Lanes, Reg, Scalar, Space, Stack, WAVE};

const fn file(name: &'static str, unit_bits: u8, units: u16, scalar: Scalar) -> File {
    File { name, kind: FileKind::Temp, unit_bits, units_per_register: 4, units, scalar }
}

/// Vectors of four, integers, halves and predicates.
const FILES: &[File] = &[
    file("v", 32, 16, Scalar::F32),
    file("R", 32, 8, Scalar::I32),
    file("h", 16, 4, Scalar::I16),
    file("P", 1, 4, Scalar::I1),
];

fn name(files: &'static [File], reg: Reg) -> String {
    let file = &files[usize::from(reg.file.0)];
    let unit = reg.unit;
    match file.name {
        "v" => format!("v{}.{}", unit / 4, ["x", "y", "z", "w"][usize::from(unit % 4)]),
        "h" => format!("h{}{}", unit / 2, if unit & 1 == 0 { "l" } else { "h" }),
        other => format!("{other}{unit}"),
    }
}

fn names() -> Names {
    let mut names = Names::new(FILES, name);
    names.add("matrix".into(), "v1".into());
    names
}

/// A state: unit n of file f has the value 100 f + n in lane 0 (as a number of its type), and one more in each next lane.
struct State {
    planes: Vec<Vec<Plane>>,
}

impl State {
    fn new() -> State {
        let plane = |file: usize, unit: u16| {
            Plane(std::array::from_fn(|lane| {
                let number = 100 * file as u32 + u32::from(unit) + lane as u32;
                match FILES[file].scalar {
                    Scalar::F32 => (number as f32).to_bits(),
                    Scalar::I1 => number & 1,
                    _ => number,
                }
            }))
        };
        let files = 0..FILES.len();
        State {
            planes: files
                .map(|file| (0..FILES[file].units).map(|unit| plane(file, unit)).collect())
                .collect(),
        }
    }
}

const PORTION: Portion = Portion { group: 0, wave: 0, lanes: [None; WAVE] };

impl View for State {
    fn time(&self) -> u64 {
        7
    }
    fn portion(&self) -> usize {
        0
    }
    fn running(&self) -> &Portion {
        &PORTION
    }
    fn at(&self) -> At {
        At::Step(0x40)
    }
    fn active(&self) -> Lanes {
        0b101
    }
    fn lanes(&self) -> Lanes {
        0b111
    }
    fn killed(&self) -> Lanes {
        0b100
    }
    fn register(&self, reg: Reg) -> Option<&Plane> {
        self.planes.get(usize::from(reg.file.0))?.get(usize::from(reg.unit))
    }
    fn stacks(&self) -> Vec<Stack> {
        Vec::new()
    }
    fn textures(&self) -> Vec<(String, &shisa_eval::Texture)> {
        Vec::new()
    }
    /// Each byte is the low byte of its address; constants are one more.
    fn reached(&self, space: Space, _: usize, address: u64, _: usize) -> Option<(Space, u64)> {
        Some((space, address))
    }

    fn load(&mut self, space: Space, _: usize, address: u64, bytes: &mut [u8]) -> Result<(), Diagnostic> {
        let more = u8::from(matches!(space, Space::Constant(3)));
        (address..).zip(bytes).for_each(|(address, byte)| *byte = address as u8 + more);
        Ok(())
    }
}

/// The value of an expression in a lane as text, or the message of its error.
fn value(text: &str, lane: usize) -> String {
    let names = names();
    let value = Expression::parse(text, &names).and_then(|e| e.value(&mut State::new(), &names, lane));
    value.map_or_else(|d| format!("{}: {}", d.code, d.message), |value| value.to_string())
}

#[test]
fn registers_have_their_names_and_types() {
    assert_eq!(value("v0", 0), "0.0 1.0 2.0 3.0");
    assert_eq!(value("v2.x", 1), "9.0");
    assert_eq!(value("v1.wzy", 0), "7.0 6.0 5.0");
    assert_eq!(value("R3", 2), "0x00000069");
    assert_eq!(value("P1", 0), "true");
    assert_eq!(value("h1l", 0), "0x000000ca");
    // 203 in the high half, 202 in the low one.
    assert_eq!(value("h1", 0), "0x00cb00ca");
    assert_eq!(value("matrix.x", 0), "4.0");
    assert_eq!(value("matrix[1].y", 0), "9.0");
    assert_eq!(value("v[lane + 1].x", 1), "9.0");
    assert_eq!(value("R[2]", 0), "0x00000066");
}

#[test]
fn operators_are_those_of_c() {
    for (text, want) in [
        ("1 + 2 * 3", "7"),
        ("(1 + 2) * 3", "9"),
        ("10 - 4 - 3", "3"),
        ("7 / 2", "3"),
        ("7.0 / 2", "3.5"),
        ("-7 % 4", "-3"),
        ("1 << 4 | 3", "19"),
        ("6 & 3 == 3", "0"),
        ("(6 & 3) == 2", "true"),
        ("6 ^ 3", "5"),
        ("1 < 2 && 2 < 1", "false"),
        ("1 < 2 || 2 < 1", "true"),
        ("!(1 == 2)", "true"),
        ("~0", "0xffffffff"),
        ("0x10 + 1", "0x00000011"),
        ("v0 * 2", "0.0 2.0 4.0 6.0"),
        ("v0.xy + v1.xy", "4.0 6.0"),
        ("v0.yz > 1", "false true"),
        ("-v0.y", "-1.0"),
        ("2 - -3", "5"),
    ] {
        assert_eq!(value(text, 0), want, "{text}");
    }
}

#[test]
fn casts_show_the_same_bits() {
    for (text, want) in [
        ("float(0x3f800000)", "1.0"),
        ("half(0x3c00)", "1.0"),
        ("float24(0.5)", "0.5 (0x3e0000)"),
        ("int(0xffffffff)", "-1"),
        ("unsigned(0xffffffff)", "4294967295"),
        ("hex(v0.y)", "0x3f800000"),
        ("color(v0.xyx)", "#00ff00"),
        ("bool(R1)", "true"),
    ] {
        assert_eq!(value(text, 0), want, "{text}");
    }
}

#[test]
fn memory_and_words_are_those_of_the_lane() {
    assert_eq!(value("global[0x100000010]", 0), "0x13121110");
    assert_eq!(value("bank3[4]", 0), "0x08070605");
    assert_eq!(value("shared[R0 - 100]", 2), "0x05040302");
    assert_eq!(value("pc", 0), "0x00000040");
    assert_eq!(
        (value("lane", 5), value("active", 1), value("active", 2)),
        ("5".into(), "false".into(), "true".into())
    );
    assert_eq!((value("killed", 2), value("killed", 0)), ("true".into(), "false".into()));
}

#[test]
fn conditions_hold_if_all_components_do() {
    let names = names();
    let holds = |text: &str| {
        Expression::parse(text, &names).unwrap().value(&mut State::new(), &names, 0).unwrap().holds()
    };
    assert!(holds("v1 > 3") && holds("R0") && !holds("v0") && !holds("v0 > 0"));
}

#[test]
fn faults_are_named() {
    for (text, want) in [
        ("", "\"\" ends where a register, a number or \"(\" is expected"),
        ("1 +", "\"1 +\" ends where a register, a number or \"(\" is expected"),
        ("(1", "\"(1\" ends where \")\" is expected"),
        ("1 2", "\"1 2\" has \"2\" where an operator is expected"),
        ("1 / 0", "a division by zero"),
        ("v9", "the program has no register \"v9\""),
        ("R9", "the program has no register \"R9\""),
        ("x[1]", "the program has no registers \"x\" and a number"),
        ("v0.q", "\".q\" is not 1 to 4 of the components x, y, z and w"),
        ("v0.xyzwx", "\".xyzwx\" is not 1 to 4 of the components x, y, z and w"),
        ("R0.y", "a value of 1 components does not have all of those"),
        ("v0.xy + v0.xyz", "values of 2 and 3 components do not go together"),
        ("v0.x & 1", "an operation on bits needs integers; use hex(…) for the bits of a float"),
        ("global[v0.x]", "an index or an address is one integer; use int(…) for the bits of a float"),
        ("0x", "\"0x\" is not a number of at most 64 bits"),
        ("1.2.3", "\"1.2.3\" is not a number"),
        ("cast(1)", "there is no cast \"cast\""),
    ] {
        assert_eq!(value(text, 0), format!("debug-expression: {want}"), "{text}");
    }
    for deep in ["(".repeat(1000), "-".repeat(1000)] {
        assert!(value(&deep, 0).contains("more than 64 open parts"));
    }
    assert_eq!(value(&format!("1{}", "+1".repeat(100)), 0), "101");
    for long in [format!("1{}", "+1".repeat(101)), format!("v0{}", ".x".repeat(101))] {
        assert!(value(&long, 0).contains("more than 100 operators and components"));
    }
    assert_eq!(value(&format!("1{}", " ".repeat(1023)), 0), "1");
    assert!(value(&format!("1{}", " ".repeat(1024)), 0).contains("has 1025 bytes; the longest has 1024"));
    let d = Expression::parse("v0.x + RO", &names()).unwrap_err();
    assert_eq!(d.help, ["did you mean \"R0\"?"]);
}

#[test]
fn registers_and_locations_can_be_watched() {
    let names = names();
    let parse = |text: &str| Expression::parse(text, &names).unwrap();
    let units = |text: &str| parse(text).register().map(|named| named.units);
    let v = |unit| Reg::new(FileId(0), unit);
    assert_eq!(units("v1.yx"), Some(vec![v(5), v(4)]));
    assert_eq!(units("v1"), Some((4..8).map(v).collect()));
    assert_eq!(units("v1 + 1"), None);
    assert_eq!(parse("global[16]").location(), Some((Space::Global, 16)));
    assert_eq!(parse("global[R0]").location(), None);
}
