//! `shisa tour`

use crate::options::Global;
use crate::stop::{Status, Stop};
use shisa::agal::{RunInput, translate_pair};
use shisa::data::Syntax;
use shisa::diag::render;
use shisa::pica200::ShaderSet;
use shisa::translation::{Code, GlslVersion, Options, Products, SpirvVersion, Target};
use shisa::{File, Language, Listing, Program, RunOptions, Settings};
use shisa_run::from_base64;
use std::fmt::Write as _;
use std::io::Write;

const FOG: &str = include_str!("../../../../examples/fog.frag.agal");
const LIT_VERTEX: &str = include_str!("../../../../examples/lit.vert.agal");
const LIT_FRAGMENT: &str = include_str!("../../../../examples/lit.frag.agal");
const FLAT: &str = include_str!("../../../../examples/flat.v.pica");
const FLAT_INPUT: &str = include_str!("../../../../examples/flat.json");
const SAXPY: &str = include_str!("../../../../examples/saxpy.maxwell");
const SAXPY_INPUT: &str = include_str!("../../../../examples/saxpy.json");
const COLLATZ: &str = include_str!("../../../../examples/collatz.agx");
const COLLATZ_INPUT: &str = include_str!("../../../../examples/collatz.json");
const SKIN: &str = include_str!("../../../../examples/skin.vert.agal");

/// Show what shisa does, on real programs
#[derive(Debug, clap::Args)]
pub(crate) struct Tour {}

impl Tour {
    /// Runs the main verbs on embedded programs and shows every result.
    pub(crate) fn run(&self, global: &Global) -> Result<Status, Stop> {
        let settings = global.settings()?;
        let mut guide = Guide { text: String::new(), colour: global.colour_output() };
        let shown = guide.show(&settings);
        std::io::stdout().lock().write_all(guide.text.as_bytes())?;
        match shown {
            Ok(()) => Ok(Status::Fine),
            Err(e) => Err(Stop::Failed(e.to_string())),
        }
    }
}

struct Guide {
    text: String,
    colour: bool,
}

impl Guide {
    fn show(&mut self, settings: &Settings) -> shisa::Result<()> {
        self.say(
            "shisa reads, writes, checks, runs and translates shader machine code. This is a pixel shader",
        );
        self.say(
            "of Flash (AGAL, examples/fog.frag.agal) that goes through all of these; a vertex shader of the",
        );
        self.say(
            "Nintendo 3DS (PICA200), a kernel of Maxwell and one of Apple's M1 follow. All output is live.",
        );
        self.block(FOG);

        self.fog(settings)?;
        self.pair(settings)?;

        self.step("Explain", "shisa explain m34");
        for found in shisa::explain("m34", Some(Language::Agal.isa()))? {
            self.block(&found.to_string());
        }

        self.pica200(settings)?;
        self.maxwell(settings)?;
        self.agx(settings)?;

        self.step("Everything else", "shisa help");
        let skin = shisa::assemble(SKIN, Language::Agal, settings)?;
        self.say(&format!("examples/ has more, such as a skinned mesh ({} instructions).", skin.lines.len()));
        Ok(())
    }

    /// Shows a pixel shader through all verbs.
    fn fog(&mut self, settings: &Settings) -> shisa::Result<()> {
        self.step("Assemble", "shisa asm examples/fog.frag.agal -o fog.agalb");
        let fog = shisa::assemble(FOG, Language::Agal, settings)?;
        self.say(&format!("{} instructions became {} bytes.", fog.lines.len(), fog.bytes.len()));

        self.step("Identify", "shisa identify fog.agalb");
        let file = File::open(&fog.bytes, settings)?;
        let program = file.program(1)?;
        let sure = file.identity().confidence.map_or("unknown", |c| c.name());
        self.say(&format!("{}, {sure}.", program.name()));

        self.step("Disassemble", "shisa dis fog.agalb --hex");
        let text = program.listing(&Listing::new().bytes(true))?;
        self.block(&text);
        let again = shisa::assemble(&text, Language::Agal, settings)?;
        let same = if again.bytes == fog.bytes { "the same bytes" } else { "other bytes" };
        self.say(&format!("The listing assembles to {same}, as it does for any bytes."));

        self.step("Check", "shisa check broken.agal");
        let broken = FOG.replace("  sat ft0.y, ft0.y\n", "  sat ft0.y, ft5.y\n").replace("eif\n", "");
        if let Err(found) = shisa::assemble(&broken, Language::Agal, settings) {
            for d in &found.diagnostics {
                let shown = render(d, "broken.agal", Some(&broken), self.colour);
                self.block(&shown);
            }
        }

        self.step("Run", "shisa run fog.agalb --input examples/fog.json");
        self.pixels(&program)?;

        self.step("Translate", "shisa translate fog.agalb --to wgsl --comments");
        let options = Options { comments: true, name: "fog".into(), ..Options::default() };
        if let Code::Text(text) = program.translate(Target::Wgsl, &options)?.code {
            self.block(&text);
        }
        Ok(())
    }

    /// Shows a vertex and a pixel shader, in every language.
    fn pair(&mut self, settings: &Settings) -> shisa::Result<()> {
        self.step("Translate a linked pair", "shisa translate lit.vert.agal --pair lit.frag.agal --to …");
        let vertex = File::open(LIT_VERTEX.as_bytes(), settings)?.program(1)?;
        let fragment = File::open(LIT_FRAGMENT.as_bytes(), settings)?.program(1)?;
        let es = Target::Glsl(GlslVersion::Es300);
        for target in [
            Target::Wgsl,
            es,
            Target::Hlsl(Default::default()),
            Target::Msl,
            Target::Spirv(SpirvVersion::V1_3),
        ] {
            let [v, f] = translate_pair(&vertex, &fragment, target, &Options::default())?;
            let size = |code: &Code| match code {
                Code::Text(text) => format!("{:>3} lines", text.lines().count()),
                Code::Words(words) => format!("{:>3} words", words.len()),
            };
            self.say(&format!("{:5}  vertex {}  fragment {}", target.name(), size(&v.code), size(&f.code)));
            if target == es
                && let Code::Text(text) = &f.code
            {
                self.block(text);
            }
        }
        Ok(())
    }

    /// Shows a vertex shader of PICA200.
    fn pica200(&mut self, settings: &Settings) -> shisa::Result<()> {
        self.step("A shader of the 3DS", "shisa asm examples/flat.v.pica -o flat.shbin");
        self.block(FLAT);
        let flat = shisa::assemble(FLAT, Language::Picasso, settings)?.bytes;
        self.say(&format!("The result is {} bytes, the same that picasso writes.", flat.len()));
        let file = File::open(&flat, settings)?;
        let program = file.program(1)?;

        self.step("Disassemble", "shisa dis flat.shbin");
        let text = file.listing(&Listing::new())?;
        self.block(&text);

        self.step("Check what freezes a console", "shisa check broken.v.pica");
        let broken = FLAT.replace("mul outColour, half.xxxy, colour", "mul outColour, position, colour");
        if let Err(found) = shisa::assemble(&broken, Language::Picasso, settings) {
            for d in &found.diagnostics {
                let shown = render(d, "broken.v.pica", Some(&broken), self.colour);
                self.block(&shown);
            }
        }

        self.step(
            "Run, in float24 as the hardware computes",
            "shisa run flat.shbin --input examples/flat.json",
        );
        let sets = ShaderSet::from_json(FLAT_INPUT)?;
        for set in shisa::pica200::run(&program, &sets, RunOptions::new())? {
            for (number, vertex) in set.results.iter().enumerate() {
                let registers =
                    vertex.outputs.iter().map(|(n, v)| format!("o{n} {:?}", v.map(f32::from_bits)));
                let registers = registers.collect::<Vec<_>>().join("  ");
                self.say(&format!("vertex {number}: {registers}, {} words executed", vertex.steps));
            }
        }

        self.step("Translate", "shisa translate flat.shbin --to glsl --products fast");
        let options = Options { products: Products::Fast, ..Options::default() };
        let glsl = Target::Glsl(GlslVersion::Core450);
        if let Code::Text(text) = program.translate(glsl, &options)?.code {
            self.block(&text);
        }
        Ok(())
    }

    /// Shows a kernel of Maxwell: its control bits are text, too.
    fn maxwell(&mut self, settings: &Settings) -> shisa::Result<()> {
        self.step("A kernel of NVIDIA's Maxwell", "shisa asm examples/saxpy.maxwell -o saxpy.bin");
        self.block(SAXPY);
        let assembled =
            |text: &str| shisa::assemble(text, Language::Maxwell, settings).map(|done| done.bytes);
        let saxpy = assembled(SAXPY)?;
        let file = File::open(&saxpy, settings)?;
        let container = file.identity().container.map_or("unknown", |c| c.name());
        let sure = file.identity().confidence.map_or("unknown", |c| c.name());
        self.say(&format!("The result is {} bytes; identify finds {container}, {sure}.", saxpy.len()));

        self.step("Disassemble, as nvdisasm does", "shisa dis saxpy.bin --syntax nvdisasm");
        let text = file.listing(&Listing::new().syntax(Syntax::Nvdisasm))?;
        self.block(&text);
        let listing = file.listing(&Listing::new())?;
        let same = if assembled(&listing)? == saxpy { "the same bytes" } else { "other bytes" };
        self.say(&format!("The default listing has the control bits, and assembles to {same}."));

        self.step("Run", "shisa run saxpy.bin --input examples/saxpy.json");
        let output = file.program(1)?.run_json(SAXPY_INPUT, RunOptions::new())?;
        let memory = output.pointer("/buffers/1/expected").and_then(|text| text.as_str()).unwrap_or_default();
        let sums = from_base64(memory).unwrap_or_default();
        let sums: Vec<String> =
            sums.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes).to_string()).collect();
        self.say(&format!("2 x + y is {} for six elements.", sums.join(", ")));

        self.step("Explain", "shisa explain control-codes");
        for found in shisa::explain("control-codes", Some(Language::Maxwell.isa()))? {
            self.block(&found.to_string());
        }
        Ok(())
    }

    /// Shows a kernel of AGX: a loop that lanes leave one by one.
    fn agx(&mut self, settings: &Settings) -> shisa::Result<()> {
        self.step("A kernel of Apple's M1 (AGX)", "shisa asm examples/collatz.agx -o collatz.bin");
        self.block(COLLATZ);
        let assembled = |text: &str| shisa::assemble(text, Language::Agx, settings).map(|done| done.bytes);
        let collatz = assembled(COLLATZ)?;
        let file = File::open(&collatz, settings)?;
        let program = file.program(1)?;
        self.say(&format!("That became {} bytes.", collatz.len()));

        self.step("Disassemble, as applegpu does", "shisa dis collatz.bin --syntax applegpu");
        let text = file.listing(&Listing::new().syntax(Syntax::Applegpu))?;
        self.block(&text);
        let listing = file.listing(&Listing::new())?;
        let same = if assembled(&listing)? == collatz { "the same bytes" } else { "other bytes" };
        self.say(&format!(
            "The default listing is Mesa's text plus what Mesa leaves out, and assembles to {same}."
        ));

        self.step("Run", "shisa run collatz.bin --input examples/collatz.json");
        let output = program.run_json(COLLATZ_INPUT, RunOptions::new())?;
        let memory = output.pointer("/buffers/0/expect").and_then(|text| text.as_str()).unwrap_or_default();
        let steps = from_base64(memory).unwrap_or_default();
        let steps: Vec<String> = steps.chunks(4).filter_map(|word| word.first()).map(u8::to_string).collect();
        self.say(&format!("The numbers from 1 to {} reach 1 in {} steps.", steps.len(), steps.join(", ")));

        self.step("Translate", "shisa translate collatz.bin --to wgsl");
        if let Code::Text(text) = program.translate(Target::Wgsl, &Options::default())?.code {
            self.block(&text);
        }

        self.step("Explain", "shisa explain nesting-counter");
        for found in shisa::explain("nesting-counter", Some(Language::Agx.isa()))? {
            self.block(&found.to_string());
        }
        Ok(())
    }

    /// Runs the fog shader on four pixels and shows colours.
    fn pixels(&mut self, program: &Program<'_>) -> shisa::Result<()> {
        let distances = [1.0, 3.0, 5.0, 10.0];
        let input = RunInput::new(distances.len())
            .input("v0", [[1.0, 0.0, 0.0, 1.0]; 4])
            .input("v1", distances.map(|d| [d, 0.0, 0.0, 0.0]))
            .constant("fc0", [0.5, 0.5, 0.5, 1.0])
            .constant("fc1", [2.0, 0.25, 8.0, 0.0]);
        let output = shisa::agal::run(program, &input, RunOptions::new())?;
        self.say("A red surface in grey fog from distance 2 to 6, all gone at 8:");
        let colours = output.floats("oc").unwrap_or_default();
        for ((distance, colour), killed) in distances.iter().zip(&colours).zip(&output.killed) {
            let shown = if *killed { "discarded".to_owned() } else { format!("{colour:?}") };
            self.say(&format!("  distance {distance:>4}: {shown}"));
        }
        self.say(&format!("{} instructions ran.", output.executed));
        Ok(())
    }

    fn step(&mut self, title: &str, command: &str) {
        let (on, off) = if self.colour { ("\x1b[1m", "\x1b[0m") } else { ("", "") };
        self.line(&format!("\n{on}== {title}{off}    $ {command}\n"));
    }

    fn say(&mut self, text: &str) {
        self.line(text);
    }

    fn block(&mut self, text: &str) {
        self.line("");
        for line in text.trim_end().lines() {
            self.line(&format!("    {line}"));
        }
        self.line("");
    }

    fn line(&mut self, text: &str) {
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "{}", text.trim_end());
    }
}
