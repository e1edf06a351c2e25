//! The application without a terminal.

mod events;
mod pictures;
mod sizes;

use crate::{App, Colors, Document, Flow};
use ratatui::Terminal;
use ratatui::backend::TestBackend;
use ratatui::buffer::Buffer;
use ratatui::crossterm::event::{Event, KeyCode, KeyEvent, KeyModifiers};
use shisa_agal::{AsmOptions, Options, Sequencer};
use shisa_debug::{BatchRun, Captured, Commands, Line, RECORDING_BYTES};
use shisa_diag::Limits;
use shisa_eval::{Batch, Column, Format, Grid, Program, Texture, TextureSet};
use shisa_ir::{Dim, File, Filter, FloatModel, Reg, Sampler, Wrap};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};

/// Pixels that blend a texture with their colour where the colour's red is large enough.
const SOURCE: &str = "// agal 2 fragment
sub ft0.x, v0.x, fc0.x
kil ft0.x
mov ft1, v0
ifg v0.x, fc0.y
  tex ft2, v0, fs0 <2d, nearest>
  mul ft1, ft1, ft2
eif
mov oc, ft1";

/// Names and contents of sessions that were saved.
type Saved = Arc<Mutex<Vec<(String, shisa_debug::State)>>>;

fn name(files: &'static [File], reg: Reg) -> String {
    let component = ["x", "y", "z", "w"][usize::from(reg.unit % 4)];
    format!("{}{}.{component}", files[usize::from(reg.file.0)].name, reg.unit / 4)
}

/// A session of four pixels with textures of two by two texels, the first of which the program reads.
fn commands(textures: u16) -> Commands {
    let (limits, options) = (Limits::default(), Options::default());
    let program = shisa_agal::assemble(SOURCE, &AsmOptions::default(), &limits).program.unwrap();
    let lifted = shisa_agal::lift(&program, &options).unwrap();
    let input = shisa_agal::interface(&program, &lifted).inputs[0].reg;
    let sequencer = Sequencer::new(&program, &limits);
    let reds = [0.25f32, 0.5, 0.75, 1.0];
    let bits = reds.iter().flat_map(|red| [*red, 0.5, 0.0, 1.0].map(f32::to_bits)).collect();
    let constants = [0.375f32, 0.625, 0.0, 0.0].map(f32::to_bits).to_vec();
    let texels: Vec<u8> = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]]
        .iter()
        .flat_map(|[red, green, blue]: &[u8; 3]| [*red, *green, *blue, 255])
        .collect();
    let sampler = Sampler {
        filter: Filter::Nearest,
        mip: None,
        wrap: [Wrap::Repeat; 3],
        anisotropy: 1,
        bias_eighths: 0,
    };
    let mut environment = TextureSet::new();
    for unit in 0..textures {
        let (format, levels) = (Format::from_name("rgba8").unwrap(), [[texels.clone()]]);
        let texture = Texture::new(format, Dim::D2, 2, 2, &levels, &limits).unwrap();
        environment.bind(unit, texture, sampler, &limits).unwrap();
    }
    let lines = SOURCE.lines().skip(1).zip(0..).map(|(text, counter)| Line { counter, text: text.into() });
    let run = BatchRun {
        program: Program::owning(lifted, FloatModel::F32, &limits).unwrap(),
        sequencer,
        batch: Batch {
            lanes: 4,
            grid: Some(Grid { width: 2, height: 2 }),
            inputs: vec![Column { reg: input, units: 4, bits }],
            uniforms: vec![(Reg::new(shisa_agal::RegType::CONSTANT.file(), 0), constants)],
            ..Batch::default()
        },
        environment,
        limits,
    };
    Commands::new(Captured::new(run, name, lines.collect()).session(RECORDING_BYTES))
}

/// The application in a window, with the source beside the listing, and what it saves.
fn app_with(colors: Colors, size: [u16; 2]) -> (App, Saved) {
    app_of(commands(1), colors, size)
}

fn app_of(commands: Commands, colors: Colors, [width, height]: [u16; 2]) -> (App, Saved) {
    let saved = Saved::default();
    let copy = Arc::clone(&saved);
    let save = move |name: &str, state| {
        if name == "full" {
            return Err(shisa_diag::Diagnostic::error("io", "cannot write full: no space"));
        }
        copy.lock().unwrap().push((name.to_owned(), state));
        Ok(format!("the session is in {name}"))
    };
    let counters: BTreeMap<usize, u32> = (1..9).zip(0..8).collect();
    let documents =
        vec![Document::new("Source", SOURCE, &counters), Document::new("Other", "text", &BTreeMap::new())];
    let mut app = App::new(commands, documents, colors, Box::new(save)).unwrap();
    app.resize(width, height);
    (app, saved)
}

fn app(size: [u16; 2]) -> App {
    app_with(Colors::Off, size).0
}

fn press(app: &mut App, code: KeyCode) -> Flow {
    app.update(&Event::Key(KeyEvent::new(code, KeyModifiers::NONE)))
}

/// Presses keys; a line break is Enter.
fn keys(app: &mut App, text: &str) -> Flow {
    let mut flow = Flow::Continue;
    for letter in text.chars() {
        flow = press(app, if letter == '\n' { KeyCode::Enter } else { KeyCode::Char(letter) });
    }
    flow
}

fn drawn(app: &App, [width, height]: [u16; 2]) -> Buffer {
    let mut terminal = Terminal::new(TestBackend::new(width, height)).unwrap();
    terminal.draw(|frame| app.draw(frame)).unwrap();
    terminal.backend().buffer().clone()
}

/// The rows of the window.
fn rows(app: &App) -> Vec<String> {
    let size = [app.window.width, app.window.height];
    let buffer = drawn(app, size);
    let row = |y| (0..size[0]).map(|x| buffer[(x, y)].symbol()).collect::<String>().trim_end().to_owned();
    (0..size[1]).map(row).collect()
}

fn text(app: &App) -> String {
    rows(app).join("\n") + "\n"
}
