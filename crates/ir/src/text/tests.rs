use super::*;
use crate::testing::{FILES, Random, random_func};
use crate::{
    Axis, Binary, Control, Convert, End, Func, LaneOp, Lifted, Op, Step, Ternary, Unary, Value,
    registers_to_values, remove_dead, verify, verify_lifted,
};
use alloc::{collections::BTreeSet, format, string::String, vec::Vec};
use shisa_diag::{Diagnostic, Limits};

fn parse(text: &str) -> Result<Func, Vec<Diagnostic>> {
    parse_func(text, FILES, &Limits::default())
}

/// The words of the operations that are defined in tables.
fn table_words() -> impl Iterator<Item = &'static str> {
    let first = Unary::ALL.iter().map(|op| op.name()).chain(Binary::ALL.iter().map(|op| op.name()));
    let first = first.chain(Ternary::ALL.iter().map(|op| op.name()));
    let others = Convert::ALL.iter().map(|op| op.name()).chain(LaneOp::ALL.iter().map(|op| op.name()));
    first.chain(others).chain(Axis::ALL.iter().map(|op| op.name()))
}

/// The text that the first error points at, and its message.
fn first_error<T: core::fmt::Debug>(text: &str, read: Result<T, Vec<Diagnostic>>) -> String {
    let d = read.unwrap_err().remove(0);
    format!("{}: {}", &text[d.labels[0].span.range()], d.message)
}

#[test]
fn a_function_reads_as_documented() {
    let text = "\
texture 0: unit 2 2d %4 implicit sampler linear mip none wrap clamp repeat mirror anisotropy 1 bias -3
b0:
  %0: f32x4 = read i:4 xyzw
  %1: f32x4 = const 0x3f800000 ; 1.0
  %2: f32x4 = fadd.rz.sat %0 %1 @1
  %3: i1x4 = flt %2 %1
  %4: f32x2 = swizzle %2 xyyy
  %5: f32x4 = texture 0 @2
  %6: i1 = swizzle %3 xxxx
  branch %6 b1(%2) b2
b1(%7: f32x4 @3):
  %8 = write o:0 xyzw %7
  jump b2
b2:
  %9 = write o:4 xyzw %5 @2
  exit
";
    let func = parse(text).unwrap();
    assert_eq!(verify(&func), Ok(()));
    assert_eq!(print_func(&func), text);
}

#[test]
fn textures_of_a_number_and_stores_that_cut_come_back() {
    let text = "\
texture 0: store %1 numbered %0 2d %2 zero towards_zero
b0:
  %0: i32 = read i:0 xxxx
  %1: f32x4 = read i:4 xyzw
  %2: i32x2 = swizzle %0 xxxx
  %3 = texture_store 0
  exit
";
    let func = parse(text).unwrap();
    assert_eq!(verify(&func), Ok(()));
    assert_eq!(print_func(&func), text);
    let sampled = text
        .replace("store %1 numbered", "fetch numbered")
        .replace("%3 = texture_store", "%3: f32x4 = texture");
    assert!(verify(&parse(&sampled).unwrap()).is_err(), "nothing is stored");
}

#[test]
fn random_functions_come_back_equal() {
    let mut random = Random::new(61);
    let mut words = BTreeSet::new();
    for round in 0..1500 {
        let size = 1 + random.below(6);
        let mut func = random_func(&mut random, size);
        // As recovered; with parameters and unused operations; and after dead code removal.
        if round % 3 > 0 {
            registers_to_values(&mut func, &Limits::default()).unwrap();
        }
        if round % 3 > 1 {
            remove_dead(&mut func);
        }
        let text = print_func(&func);
        assert_eq!(parse(&text).as_ref(), Ok(&func), "{text}");
        for line in text.lines().filter_map(|l| l.split_once("= ")) {
            words.extend(line.1.split([' ', '.']).next().map(String::from));
        }
    }
    let others = "const read read_at write swizzle join texture texture_store load store kill set_emit emit barrier \
                  combine_iadd combine_smin atomic_umax atomic_fadd increment decrement exchange compare_exchange";
    for word in table_words().chain(others.split(' ')) {
        assert!(words.contains(word), "no random function had {word}");
    }
}

fn parse_steps(text: &str) -> Result<Lifted, Vec<Diagnostic>> {
    parse_lifted(text, FILES, &Limits::default())
}

#[test]
fn numbered_barriers_and_stops_read_as_they_print() {
    for how in crate::Arrival::ALL {
        let text = format!(
            "\
step 0x0 next 0x1:
  %0: i32 = const 0x3
  %1: i1 = const 0x1
  %2 = arrive {} %0 %0 %1
  %3: i32 = reduced
  trap to 0x1 extra 0x3
",
            how.name()
        );
        let lifted = parse_steps(&text).unwrap_or_else(|d| panic!("{text}: {d:?}"));
        assert!(matches!(lifted.nodes.op(Value(2)), Op::Arrive { how: parsed, .. } if parsed == *how));
        assert_eq!(lifted.steps[0].control.op, crate::ControlOp::Trap);
        assert_eq!(verify_lifted(&lifted), Ok(()));
        assert_eq!(print_lifted(&lifted), text);
    }
    let mixed = "step 0x0 next 0x1:\n  %0: i32 = const 3\n  %1 = arrive wait %0 %0 %0\n  next\n";
    assert!(verify_lifted(&parse_steps(mixed).unwrap()).is_err());
}

#[test]
fn a_lifted_program_reads_as_documented() {
    let text = "\
step 0x10 next 0x18 guard %0:
  %0: i1 = read p:0 xxxx
  %1: f32 = read t:0 xxxx
  %2 = write t:1 x %1
  next
step 0x18 next 0x20 whole_wave:
  %3: i1 = read p:1 xxxx @1
  push 2 if %3 to 0x40 extra 0x1
step 0x20 next 0x28:
  exit
implied 0x0 next 0x0:
  again to 0x10
unused:
  %4: f32 = const 0x0 ; 0.0
";
    let lifted = parse_steps(text).unwrap();
    assert_eq!(verify_lifted(&lifted), Ok(()));
    assert_eq!((lifted.steps.len(), lifted.implied.len()), (3, 1));
    assert_eq!(print_lifted(&lifted), text);
    assert_eq!(parse_steps(""), Ok(Lifted::new(FILES)));
}

#[test]
fn random_steps_come_back_equal() {
    use crate::ControlOp::*;
    let mut random = Random::new(62);
    for _ in 0..500 {
        let size = 1 + random.below(6);
        let func = random_func(&mut random, size);
        let mut lifted = Lifted { nodes: func.nodes, ..Lifted::new(FILES) };
        let mut end = 0;
        for (pc, block) in (0..).zip(&func.blocks) {
            let start = end;
            end += block.body.len() as u32;
            let inside = |v: Option<&Value>| v.copied().filter(|v| (start..end).contains(&v.0));
            let cond = match block.end {
                End::Branch { cond, .. } => inside(Some(&cond)),
                _ => None,
            };
            let op = [Next, Branch, Push(9), Pop(255), Call, Return, Loop, Again, Counter(0), Exit, Invalid];
            let control = Control {
                op: random.pick(&op),
                cond,
                target: random.bits() as u32,
                place: cond.filter(|_| random.below(4) == 0),
                extra: random.below(2) as u32,
            };
            let whole_wave = random.below(2) == 0;
            let guard = cond.filter(|_| random.below(2) == 0);
            let step = Step { pc, next: pc + 1, nodes: start..end, guard, whole_wave, control };
            if pc > 3 { lifted.implied.push(step) } else { lifted.steps.push(step) }
        }
        let text = print_lifted(&lifted);
        assert_eq!(parse_steps(&text).as_ref(), Ok(&lifted), "{text}");
    }
}

#[test]
fn errors_in_steps_are_reported_with_their_location() {
    let fault = |text: &str| first_error(text, parse_steps(text));
    assert_eq!(fault("b0:\n  exit\n"), "b0: `b0` is neither a step nor its control operation");
    assert_eq!(fault("exit\n"), "exit: a control operation must follow a step");
    assert_eq!(fault("step 1 next 2:\nstep 2 next 3:\n"), "step: the previous step has no control operation");
    assert_eq!(fault("step 1 next 2:\n"), ": the text ends inside a program");
    assert_eq!(
        fault("step 1 next 2:\n %1: i1 = const 0\n %0: i1 = const 0\n exit"),
        "%0: the operations of a step are numbered one after the other"
    );
    assert_eq!(
        fault("implied 1 next 2:\n next\nstep 1 next 2:\n exit"),
        "step: steps come first, then implied ones, then what is unused"
    );
    assert_eq!(fault("step 1 next 2:\n exit if %0"), "%0: there is no %0");
    assert_eq!(fault("step 1 next 2 now:\n exit"), "now: expected guard or whole_wave");
}

#[test]
fn every_word_has_one_meaning() {
    let mut seen = BTreeSet::new();
    for word in table_words() {
        assert!(seen.insert(word), "{word} twice");
    }
}

#[test]
fn errors_are_reported_with_their_location() {
    let fault = |text: &str| first_error(text, parse(text));
    assert_eq!(fault("b0:\n  %0: f32 = fadd.up %0 %0\n  exit\n"), "fadd.up: `up` is not a rule");
    assert_eq!(fault("b0:\n  %0: f32 = frob %0\n  exit\n"), "frob: `frob` is not an operation");
    assert_eq!(fault("b0:\n  %0: f99 = const 1\n  exit\n"), "f99: `f99` is not a type");
    assert_eq!(fault("b0:\n  %0: f32 = fneg %7\n  exit\n"), "%7: there is no %7");
    assert_eq!(fault("b0:\n  jump b4\n"), "b4: there is no b4");
    assert_eq!(fault("b0:\n  %4: f32 = const 0\n  exit\n"), "%4: value 4 is defined, but value 0 is missing");
    assert_eq!(
        fault("b0:\n  %0: i1 = const 0\n  %0: i1 = const 0\n  exit\n"),
        "%0: value 0 is defined twice"
    );
    assert_eq!(fault("b0:\n  %0: i1 = read q:0 xxxx\n  exit\n"), "q: expected a register file");
    assert_eq!(fault("b0:\n  exit 5\n"), "5: nothing more is expected on this line");
    assert_eq!(fault("b1:\n"), "b1: expected the header of b0");
    assert_eq!(fault("b0:\n  %0: i8 = const é\n  exit\n"), "é: `é` is not a word of the text form");
    assert_eq!(fault("b0:\n"), ": the text ends inside a program");
    let both = parse("b0:\n  %0: f32 = frob\n  %1: f32 = frob\n  exit\n").unwrap_err();
    assert_eq!(both.len(), 2, "every faulty line is reported");
}

#[test]
fn changed_text_never_panics() {
    let mut random = Random::new(71);
    let mut accepted = 0;
    for _ in 0..150 {
        let size = 1 + random.below(4);
        let mut func = random_func(&mut random, size);
        registers_to_values(&mut func, &Limits::default()).unwrap();
        let text = print_func(&func);
        for _ in 0..20 {
            let mut bytes = text.clone().into_bytes();
            for _ in 0..=random.below(3) {
                let at = random.below(bytes.len());
                match random.below(4) {
                    0 => bytes.truncate(at),
                    1 => _ = bytes.remove(at),
                    2 => bytes[at] = random.pick(b"%:@=().,+*b09xw \n;-\xc3"),
                    _ => bytes.insert(at, random.pick(b"%:@=().,+*b09xw \n;-")),
                }
                if bytes.is_empty() {
                    break;
                }
            }
            let text = String::from_utf8_lossy(&bytes);
            if let Ok(func) = parse(&text) {
                accepted += 1;
                let valid = verify(&func).is_ok();
                let again = parse(&print_func(&func));
                assert!(!valid || again.as_ref() == Ok(&func), "{text}");
            }
        }
    }
    assert!(accepted > 100, "{accepted}");
    assert!(parse("b0:\n  %4294967295: i1 = const 0\n  exit").is_err());
    assert!(parse(&"(".repeat(1_000_000)).is_err());
    let many = "b0:\n".repeat(100_000);
    assert!(parse(&many).unwrap_err().len() <= Limits::default().diagnostics + 1);
    assert!(matches!(parse("b0:\n%0: i1 = const 1\nexit").unwrap().nodes.list[0].op, Op::Const(1)));
}
