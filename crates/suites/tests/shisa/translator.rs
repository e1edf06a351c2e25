//! Translations in the memory of those before them: equal to others, with fewer allocations.

use allocation_counter::measure;
use shisa::translation::{Form, Options, Output, Target, Translator};
use shisa::{File, Program, Settings};

/// Programs of one block and of several, short and long, of both stages; one that is refused.
const PROGRAMS: [&str; 7] = [
    "// agal 1 fragment\ntex ft0, v0, fs0 <2d, linear, miplinear>\nmul ft0, ft0, fc0\nmov oc, ft0",
    "// agal 1 vertex\nm44 vt0, va0, vc0\nadd vt1, va1, vc4\nmov v0, vt1\nmov v1, va2\nmov op, vt0",
    "// agal 2 fragment\nmov ft0, v0\nife ft0.x, fc0.x\nmul ft0, ft0, fc1\nels\nrcp ft0.x, ft0.x\neif\n\
     sub ft1.x, ft0.x, fc0.y\nkil ft1.x\nmov oc, ft0",
    "// agal 2 fragment\nmov ft0, v0\nife ft0.x, fc0.x\nddx ft1, v1\ntex ft2, ft1, fs3 <cube, nearest>\n\
     eif\nadd fo0, ft0, ft2\nmov fo1, ft1",
    "// agal 1 vertex\nmov vt0, vc[va0.x+3]\nnrm vt1.xyz, vt0\nmov vt1.w, va0.w\nmov v3.xy, vt1.zw\nmov op, vt1",
    "// agal 1 fragment\nmov ft0.x, v0.x\nmov ft0.y, v1.y\nmov ft0.zw, fc7\nsat ft0, ft0\nmov oc, ft0",
    "// agal 1 fragment\nmov oc, fc0",
];

/// A program that borrows nothing.
fn program(source: &str) -> Program<'static> {
    let settings = Settings::new();
    let code = File::open(source.as_bytes(), &settings).unwrap().program(1).unwrap().extract().unwrap();
    File::open(Box::leak(code.into_boxed_slice()), &settings).unwrap().program(1).unwrap()
}

#[test]
fn translations_one_after_another_equal_those_alone() {
    let programs = PROGRAMS.map(program);
    let mut translator = Translator::new();
    let text = |output: shisa::Result<Output>| output.map_err(|e| e.to_string());
    let (mut done, mut refused) = (0, 0);
    // Other orders leave other memory.
    for step in [1, 3, 5] {
        for i in 0..programs.len() {
            let program = &programs[i * step % programs.len()];
            for form in [Form::Stage, Form::Compute] {
                for comments in [false, true] {
                    let options = Options { form, comments, ..Options::default() };
                    let after = text(program.translate_with(&mut translator, Target::Wgsl, &options));
                    let alone = text(program.translate_with(&mut Translator::new(), Target::Wgsl, &options));
                    assert_eq!(after, alone, "program {i}");
                    assert_eq!(text(program.translate(Target::Wgsl, &options)), alone, "program {i}");
                    *if after.is_ok() { &mut done } else { &mut refused } += 1;
                }
            }
        }
    }
    assert!(done > 60 && refused > 0, "{done} translated, {refused} refused");
}

#[test]
fn later_translations_take_their_memory_from_earlier_ones() {
    let programs = PROGRAMS.map(program);
    let options = Options::default();
    let mut translator = Translator::new();
    let all = |translate: &mut dyn FnMut(&Program<'_>) -> shisa::Result<Output>| {
        measure(|| programs.iter().for_each(|program| drop(translate(program)))).count_total
    };
    let alone = all(&mut |p| p.translate_with(&mut Translator::new(), Target::Wgsl, &options));
    let mut with = |p: &Program<'_>| p.translate_with(&mut translator, Target::Wgsl, &options);
    let (first, later) = (all(&mut with), all(&mut with));
    assert!(later <= first && 3 * later < 2 * alone, "{alone} allocations alone, then {first}, then {later}");
    // A thread has a translator of its own.
    let mut of_thread = |p: &Program<'_>| p.translate(Target::Wgsl, &options);
    let (first, again) = (all(&mut of_thread), all(&mut of_thread));
    assert!(
        again <= first && again <= later + 1,
        "{first} allocations, then {again}; {later} with a translator"
    );
}

#[test]
fn a_thread_does_not_cache_the_memory_of_a_large_program() {
    let small = program(PROGRAMS[2]);
    let count = || measure(|| drop(small.translate(Target::Wgsl, &Options::default()))).count_total;
    let (_, cached) = (count(), count());
    let large = format!("// maxwell\n{}EXIT\n", "FADD R0, R1, R0\n".repeat(40_000));
    let file = File::open(large.as_bytes(), &Settings::new()).unwrap();
    let options = Options { form: Form::Compute, ..Options::default() };
    file.program(1).unwrap().translate(Target::Wgsl, &options).unwrap();
    assert!(count() > cached && count() == cached, "{cached} allocations in the memory of a small program");
}
