//! Fragment programs of AGAL with textures and derivatives, on all engines, bit for bit.

use shisa::agal::{RunInput, RunOutput, TextureInput, run};
use shisa::data::batch::{Coding, HostLevel, Precision};
use shisa::data::engines::Engine;
use shisa::eval::{Format, Grid};
use shisa::ir::Dim;
use shisa::{File, RunOptions, Settings};

/// The engine that ran a program. Only the evaluator counts instructions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum By {
    Wanted,
    Evaluator,
}

/// Numbers that are the same in every run of a test.
struct Numbers(u64);

impl Numbers {
    fn next(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        (self.0 >> 33) as u32
    }

    fn below(&mut self, end: u32) -> u32 {
        self.next() % end
    }

    fn byte(&mut self) -> u8 {
        self.next() as u8
    }
}

/// A texture with this number of levels of noise.
fn texture(dim: Dim, size: usize, levels: usize, numbers: &mut Numbers) -> TextureInput {
    let faces = if dim == Dim::Cube { 6 } else { 1 };
    let mut level = |l: usize| {
        let texels = (size >> l).max(1).pow(2);
        (0..faces).map(|_| (0..texels * 4).map(|_| numbers.byte()).collect()).collect()
    };
    TextureInput {
        dim,
        width: size,
        height: size,
        format: Format::Rgba8,
        levels: (0..levels).map(&mut level).collect(),
        sampler: TextureInput::PLAIN_SAMPLER,
    }
}

/// Pixels in a grid or in none, whose varyings change from pixel to pixel: `v0` smoothly, `v1` quickly, `v2` at random, and
/// `v3` is the number of the pixel and its coordinates. `fs0` and `fs1` are flat, `fs2` is a cube.
fn input(grid: Option<(usize, usize)>) -> RunInput {
    let mut numbers = Numbers(7);
    let (width, height) = grid.unwrap_or((301, 1));
    let pixels = || (0..width * height).map(move |n| (n, (n % width) as f32, (n / width) as f32));
    let mut input = RunInput::new(width * height)
        .input("v0", pixels().map(|(_, x, y)| [x / 9.0 - 0.2, y / 7.0 + x * 0.01, 1.0 - x / 5.0, 1.0]))
        .input("v1", pixels().map(|(_, x, y)| [x * y * 0.37, x * 3.3 - y, y * y * 0.2 - 9.0, x - y]))
        .input("v3", pixels().map(|(n, x, y)| [n as f32, x, y, 0.0]))
        .constant("fc0", [0.5, 2.0, -1.0, 0.0])
        .constant("fc1", [4.0, 3.0, 0.25, 1.0]);
    let mut random = |_| (0..4).map(|_| (numbers.below(4001) as f32 / 1000.0 - 2.0).to_bits()).collect();
    input.inputs.insert("v2".into(), (0..input.lanes).map(&mut random).collect());
    input.grid = grid.map(|(width, height)| Grid { width, height });
    for (name, dim, size, levels) in
        [("fs0", Dim::D2, 16, 5), ("fs1", Dim::D2, 8, 2), ("fs2", Dim::Cube, 8, 4)]
    {
        input.textures.insert(name.into(), texture(dim, size, levels, &mut numbers));
    }
    input
}

fn on(engine: Engine, text: &str, input: &RunInput) -> shisa::Result<RunOutput> {
    let mut settings = Settings::new();
    settings.engine = engine;
    let source = format!("// agal 2 fragment\n{text}");
    let file = File::open(source.as_bytes(), &settings)?;
    run(&file.program(1)?, input, RunOptions::new())
}

/// Runs a program on all engines and compares every bit of lanes that were not killed; returns the engine that ran it when
/// another one than the evaluator was wanted.
fn compare(text: &str, input: &RunInput) -> By {
    let [want, batch, code] =
        Engine::ALL.map(|engine| on(engine, text, input).unwrap_or_else(|e| panic!("{text}: {e}")));
    assert!(want.executed > 0, "the evaluator counts instructions");
    for (engine, got) in [("batch", &batch), ("machine code", &code)] {
        assert_eq!(want.killed, got.killed, "{engine}: {text}");
        for (want_of, got_of) in want.outputs.iter().zip(&got.outputs) {
            for (lane, (a, b)) in want_of.lanes.iter().zip(&got_of.lanes).enumerate() {
                let same = want.killed[lane] || a == b;
                assert!(same, "{engine}: {text}\n{} of lane {lane}: {a:x?} {b:x?}", want_of.name);
            }
        }
    }
    let [batch, code] = [batch, code].map(|got| if got.executed == 0 { By::Wanted } else { By::Evaluator });
    assert_eq!(batch, code, "{text}");
    batch
}

/// Grids of whole quads and others, of a part of a wave and of several slabs; the last one is no grid.
const GRIDS: [Option<(usize, usize)>; 6] =
    [Some((2, 2)), Some((1, 1)), Some((13, 9)), Some((32, 18)), Some((37, 11)), None];

/// Options of samplers whose level of detail depends on the quad, and of others.
const COMPUTED: [&str; 6] = [
    "nearest,mipnearest,clamp",
    "linear,miplinear,repeat",
    "linear,mipnearest,clamp,1.25",
    "nearest,miplinear,repeat,-0.75",
    "anisotropic4x,miplinear,clamp",
    "anisotropic8x,nomip,repeat",
];
const FIXED: [&str; 3] = ["nearest,nomip,clamp", "linear,nomip,repeat", "linear,nomip,clamp,2"];

#[test]
fn textures_are_read_on_the_batch_engine() {
    for options in COMPUTED.into_iter().chain(FIXED) {
        for (sampler, dim) in [("fs0", "2d"), ("fs1", "2d"), ("fs2", "cube")] {
            // Assemblers accept only this mode for cubes.
            let options = if dim == "cube" { options.replace("repeat", "clamp") } else { options.into() };
            for varying in ["v0", "v1", "v2"] {
                let text = format!("tex ft0, {varying}, {sampler} <{dim},{options}>\nmov oc, ft0");
                for grid in GRIDS {
                    assert_eq!(compare(&text, &input(grid)), By::Wanted, "{text}");
                }
            }
        }
    }
}

/// Programs without conditions.
const STRAIGHT: [&str; 8] = [
    "ddx ft0, v1\nddy ft1, v2\nmul ft2, ft0, ft1\nadd oc, ft2, v0",
    "tex ft0, v0, fs0 <2d,linear,miplinear,repeat>\ntex ft1, ft0.zyxw, fs1 <2d,linear,miplinear,clamp>\nadd oc, ft0, ft1",
    "tex ft0, v1.yx, fs0 <2d,linear,miplinear,repeat>\nddx ft1, ft0\nddy ft1.w, ft0.x\nmov oc, ft1",
    "mov ft1, fc0\ntex ft0, ft1, fs0 <2d,linear,miplinear,repeat>\nmov ft2, fc1\nddx ft1, ft2\nadd oc, ft0, ft1",
    "tex ft0, v2, fs2 <cube,linear,miplinear,clamp>\nmov ft1, v0\nmov ft1.y, ft0.z\nmov oc, ft1",
    "tex ft0, v0, fs0 <2d,nearest,nomip,repeat>\nsub ft1, ft0, fc0.xxxx\nkil ft1.x\ntex ft2, ft1, fs1 <2d,linear,miplinear,repeat>\nmov oc, ft2",
    "tex ft0, v0, fs0 <2d,linear,miplinear,repeat>\ntex ft1, v0, fs0 <2d,linear,miplinear,repeat>\nsub ft2, ft0, ft1\nmov oc, ft2",
    "tex ft0, v0, fs0 <2d,linear,miplinear,repeat>\nmul ft1, v0, fc1.zzzz\ndp3 ft0.x, ft1, v1\nmov oc, ft0.xxyy",
];

#[test]
fn machine_code_takes_textures_and_derivatives() {
    for text in STRAIGHT {
        let settings = Settings::new();
        let source = format!("// agal 2 fragment\n{text}");
        let lowered = File::open(source.as_bytes(), &settings).unwrap().program(1).unwrap().lower().unwrap();
        let mut program = lowered.batch(Precision::Exact).unwrap();
        assert!(program.uses_quads() || program.uses_environment(), "{text}");
        for level in [HostLevel::Avx2, HostLevel::Avx512] {
            let made = program.add_machine_code_for(Coding { level, shortest: 1 }, &settings.limits);
            // A read alone has no machine code.
            assert_eq!(made.is_ok(), level.is_available() && program.size().1 > 1, "{text}");
        }
    }
}

#[test]
fn reads_depend_on_reads_derivatives_and_killed_lanes() {
    for text in STRAIGHT {
        for grid in GRIDS {
            assert_eq!(compare(text, &input(grid)), By::Wanted, "{text}");
        }
    }
}

/// A program that runs the line `inside` under a condition, an alternative, and a read after both. The condition holds
/// for every second column of `columns` pixels.
fn conditional(columns: u32, inside: &str) -> String {
    format!(
        "mov ft0, v0\nmov ft3, v1\nmul ft1, v3, fc1.{}\nfrc ft1, ft1\nifl ft1.y, fc0.x\nmul ft3, v2, fc0.yyyy\n{inside}\n\
         els\nadd ft0, ft0, v2\neif\ntex ft2, ft0, fs0 <2d,linear,miplinear,repeat>\nadd oc, ft2, ft0",
        if columns == 1 { "x" } else { "z" }
    )
}

/// As [`input`], with the factor of one column in `fc1.x`.
fn columns(grid: Option<(usize, usize)>) -> RunInput {
    input(grid).constant("fc1", [0.5, 3.0, 0.25, 1.0])
}

#[test]
fn whole_quads_read_textures_under_conditions() {
    let lines = COMPUTED.map(|options| format!("ted ft0, ft3, fs1 <2d,{options}>"));
    for inside in lines.into_iter().chain(["ddx ft0, ft3".into(), "ddy ft0, ft3".into()]) {
        for grid in GRIDS {
            let text = conditional(2, &inside);
            // Without a grid no lane has neighbours.
            assert_eq!(compare(&text, &columns(grid)), By::Wanted, "{text}");
        }
    }
}

#[test]
fn the_evaluator_runs_quads_of_which_some_lanes_take_a_derivative() {
    let computed = COMPUTED.map(|options| format!("ted ft0, ft3, fs1 <2d,{options}>"));
    let fixed = FIXED.map(|options| format!("ted ft0, ft3, fs1 <2d,{options}>"));
    let fixed = fixed.into_iter().chain(["mul ft0, ft3, v1".into()]);
    let lines = computed.into_iter().chain(["ddx ft0, ft3".into()]).map(|line| (line, By::Evaluator));
    for (inside, by) in lines.chain(fixed.map(|line| (line, By::Wanted))) {
        let text = conditional(1, &inside);
        for grid in GRIDS {
            // The only pixel's helper lanes have its coordinates.
            let alone = grid.is_none_or(|grid| grid == (1, 1));
            let want = if alone { By::Wanted } else { by };
            assert_eq!(compare(&text, &columns(grid)), want, "{text} {grid:?}");
        }
    }
}

/// Errors of textures are those of the evaluator, also if nothing uses what a program reads.
#[test]
fn a_missing_texture_is_the_evaluator_s_error() {
    let read = |sampler: &str, dim: &str| format!("tex ft0, v0, {sampler} <{dim},linear,miplinear,clamp>\n");
    for (sampler, dim, code) in [("fs5", "2d", "texture-missing"), ("fs0", "cube", "texture-shape")] {
        for then in ["mov oc, ft0", "mov oc, v0"] {
            let text = read(sampler, dim) + then;
            let [a, b, c] =
                Engine::ALL.map(|engine| on(engine, &text, &input(Some((4, 4)))).unwrap_err().diagnostics);
            assert_eq!((&a, &a), (&b, &c), "{text}");
            assert_eq!(a[0].code, code, "{text}");
        }
        // No lane comes there.
        let text = format!(
            "mov ft0, v0\nifl fc0.x, fc0.z\n{}eif\nmov oc, ft0",
            read(sampler, dim).replace("tex", "ted")
        );
        assert_eq!(compare(&text, &input(Some((4, 4)))), By::Evaluator, "{text}");
    }
}

/// A line without control flow, which writes one of five registers.
/// `samplers` are the options of each.
fn line(numbers: &mut Numbers, samplers: &[String; 3]) -> String {
    let dst = format!("ft{}", numbers.below(5));
    let mut source = || match numbers.below(8) {
        n @ 0..5 => format!("ft{n}"),
        n => format!("v{}", n - 5),
    };
    let (a, b) = (source(), source());
    match numbers.below(9) {
        0 => format!("add {dst}, {a}, {b}"),
        1 => format!("mul {dst}, {a}, {b}.yzxw"),
        2 => format!("sub {dst}.xy, {a}, {b}"),
        3 => format!("frc {dst}, {a}"),
        4 => format!("ddx {dst}, {a}"),
        5 => format!("ddy {dst}.yz, {a}.xxyw"),
        n @ 6..8 => format!("ted {dst}, {a}, fs{} <{}>", n - 6, samplers[n as usize - 6]),
        _ => format!("ted {dst}, {a}, fs2 <{}>", samplers[2]),
    }
}

/// A program with conditions of whole quads, of single lanes and of all lanes.
fn random(numbers: &mut Numbers) -> String {
    let mut lines: Vec<String> = (0..5).map(|n| format!("mov ft{n}, v{}", n % 3)).collect();
    lines.extend(
        ["mul ft5, v3, fc1.zzzz", "frc ft5, ft5", "mul ft6, v3, fc1.xxxx", "frc ft6, ft6"].map(String::from),
    );
    let mut options = |dim: &str| {
        let options = COMPUTED.into_iter().chain(FIXED).nth(numbers.below(9) as usize).unwrap_or_default();
        format!("{dim},{}", if dim == "cube" { options.replace("repeat", "clamp") } else { options.into() })
    };
    let samplers = ["2d", "2d", "cube"].map(&mut options);
    let mut open: Vec<bool> = Vec::new();
    for _ in 0..numbers.below(24) + 4 {
        match numbers.below(10) {
            0 if open.len() < 3 => {
                // A condition of single lanes is rare: it often leaves the program to the evaluator.
                let register = ["ft5.y", "ft5.z", "fc0.y", "ft5.y", "ft6.y"][numbers.below(5) as usize];
                lines.push(format!("ifl {register}, fc0.x"));
                open.push(false);
            }
            1 => match open.pop() {
                Some(false) => {
                    lines.push("els".into());
                    open.push(true);
                }
                Some(true) => lines.push("eif".into()),
                None => lines.push(format!("kil ft{}.x", numbers.below(5))),
            },
            _ => lines.push(line(numbers, &samplers)),
        }
    }
    lines.extend(open.iter().map(|_| "eif".into()));
    lines.extend(
        ["add ft0, ft0, ft1", "add ft2, ft2, ft3", "add ft0, ft0, ft2", "add oc, ft0, ft4"].map(String::from),
    );
    lines.join("\n")
}

#[test]
fn random_programs_have_the_evaluator_s_results() {
    let mut numbers = Numbers(11);
    let inputs = GRIDS.map(columns);
    let (mut by_batch, mut by_evaluator) = (0, 0);
    for _ in 0..400 {
        let text = random(&mut numbers);
        let grid = &inputs[numbers.below(GRIDS.len() as u32) as usize];
        match compare(&text, grid) {
            By::Wanted => by_batch += 1,
            By::Evaluator => by_evaluator += 1,
        }
    }
    println!("{by_batch} ran on the batch engine, {by_evaluator} on the evaluator");
    assert!(by_batch > 250 && by_evaluator > 10, "{by_batch} and {by_evaluator}");
}
