//! `shisa tour`

use crate::options::Global;
use crate::stop::{Status, Stop};
use shisa::agal::{AsmOptions, DisOptions};
use shisa::agx::Syntax;
use shisa::agx::text::AsmOptions as AssembleAgx;
use shisa::diag::render;
use shisa::maxwell::text::AsmOptions as AssembleMaxwell;
use shisa::pica200::picasso;
use shisa::translation::{Code, GlslVersion, Options, Products, SpirvVersion, Target};
use shisa::{AgxListing, Listing, MaxwellListing, MaxwellSyntax, RunInput, RunOptions, Settings, ShaderSet};
use std::fmt::Write as _;
use std::io::Write;

const FOG: &str = include_str!("../../../../examples/fog.frag.agal");
const LIT_VERTEX: &str = include_str!("../../../../examples/lit.vert.agal");
const LIT_FRAGMENT: &str = include_str!("../../../../examples/lit.frag.agal");
const FLAT: &str = include_str!("../../../../examples/flat.v.pica");
const FLAT_INPUT: &str = include_str!("../../../../examples/flat.json");
const SAXPY: &str = include_str!("../../../../examples/saxpy.maxwell");
const COLLATZ: &str = include_str!("../../../../examples/collatz.agx");
const COLLATZ_INPUT: &str = include_str!("../../../../examples/collatz.json");
const SKIN: &str = include_str!("../../../../examples/skin.vert.agal");

/// Show what shisa does, on real programs
#[derive(Debug, clap::Args)]
pub(crate) struct Tour {}

impl Tour {
    /// Does the main job on embedded programs and shows every result.
    pub(crate) fn run(&self, global: &Global) -> Result<Status, Stop> {
        let settings = global.settings()?;
        let mut guide = Guide { text: String::new(), colour: global.colour_output() };
        let told = guide.tell(&settings);
        std::io::stdout().lock().write_all(guide.text.as_bytes())?;
        match told {
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
    fn tell(&mut self, settings: &Settings) -> shisa::Result<()> {
        self.say(
            "shisa reads, writes, checks, runs and translates shader machine code. This is a pixel shader",
        );
        self.say(
            "of Flash (AGAL, examples/fog.frag.agal) on its way through all of that; a vertex shader of the",
        );
        self.say(
            "Nintendo 3DS (PICA200), a kernel of Maxwell and one of Apple's M1 follow. All output is live.",
        );
        self.block(FOG);

        self.fog(settings)?;
        self.pair(settings)?;

        self.step("Ask", "shisa explain m34");
        for found in shisa::explain("m34", Some(shisa::Isa::Agal))? {
            self.block(&found.to_string());
        }

        self.pica200(settings)?;
        self.maxwell(settings)?;
        self.agx(settings)?;

        self.step("Everything else", "shisa help");
        let skin = shisa::assemble(SKIN, &AsmOptions::default(), settings)?;
        self.say(&format!("examples/ has more, such as a skinned mesh ({} instructions).", skin.lines.len()));
        Ok(())
    }

    /// A pixel shader through all verbs.
    fn fog(&mut self, settings: &Settings) -> shisa::Result<()> {
        self.step("Assemble", "shisa asm examples/fog.frag.agal -o fog.agalb");
        let fog = shisa::assemble(FOG, &AsmOptions::default(), settings)?;
        self.say(&format!("{} instructions became {} bytes.", fog.lines.len(), fog.bytes.len()));

        self.step("Identify", "shisa identify fog.agalb");
        let identity = shisa::identify(&fog.bytes, settings);
        let name = identity.programs.first().map_or("", |p| p.name.as_str());
        self.say(&format!("{name}, {}.", identity.confidence.map_or("unknown", |c| c.name())));

        self.step("Disassemble", "shisa dis fog.agalb --hex");
        let agal = DisOptions { bytes: true, ..DisOptions::default() };
        let listing = Listing { agal, ..Listing::default() };
        let text = shisa::disassemble(&fog.bytes, &listing, settings)?;
        self.block(&text);
        let again = shisa::assemble(&text, &AsmOptions::default(), settings)?;
        let same = if again.bytes == fog.bytes { "the same bytes" } else { "other bytes" };
        self.say(&format!("Assembled again, that gives {same}; it does so for any bytes."));

        self.step("Check", "shisa check broken.agal");
        let broken = FOG.replace("  sat ft0.y, ft0.y\n", "  sat ft0.y, ft5.y\n").replace("eif\n", "");
        if let Err(found) = shisa::assemble(&broken, &AsmOptions::default(), settings) {
            for d in &found.diagnostics {
                let shown = render(d, "broken.agal", Some(&broken), self.colour);
                self.block(&shown);
            }
        }

        self.step("Run", "shisa run fog.agalb --input examples/fog.json");
        self.pixels(&fog.bytes, settings)?;

        self.step("Translate", "shisa translate fog.agalb --to wgsl --comments");
        let options = Options { comments: true, name: "fog".into(), ..Options::default() };
        if let Code::Text(text) = shisa::translate(&fog.bytes, Target::Wgsl, &options, settings)?.code {
            self.block(&text);
        }
        Ok(())
    }

    /// A vertex and a pixel shader, in every language.
    fn pair(&mut self, settings: &Settings) -> shisa::Result<()> {
        self.step("Translate a linked pair", "shisa translate lit.vert.agal --pair lit.frag.agal --to …");
        let vertex = shisa::assemble(LIT_VERTEX, &AsmOptions::default(), settings)?;
        let fragment = shisa::assemble(LIT_FRAGMENT, &AsmOptions::default(), settings)?;
        let es = Target::Glsl(GlslVersion::Es300);
        for target in [
            Target::Wgsl,
            es,
            Target::Hlsl(Default::default()),
            Target::Msl,
            Target::Spirv(SpirvVersion::V1_3),
        ] {
            let [v, f] =
                shisa::translate_pair(&vertex.bytes, &fragment.bytes, target, &Options::default(), settings)?;
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

    /// The same for a vertex shader of PICA200.
    fn pica200(&mut self, settings: &Settings) -> shisa::Result<()> {
        self.step("A shader of the 3DS", "shisa asm examples/flat.v.pica -o flat.shbin");
        self.block(FLAT);
        let assembled = |text: &str| {
            let source = picasso::Source { name: "flat.v.pica", text };
            shisa::assemble_picasso(&[source], &picasso::Options::default(), settings)
        };
        let flat = assembled(FLAT).bytes.unwrap_or_default();
        self.say(&format!("That became {} bytes, the same that picasso writes.", flat.len()));

        self.step("Disassemble", "shisa dis flat.shbin");
        let text = shisa::disassemble(&flat, &Listing::default(), settings)?;
        self.block(&text);

        self.step("Check what freezes a console", "shisa check broken.v.pica");
        let broken = FLAT.replace("mul outColour, half.xxxy, colour", "mul outColour, position, colour");
        for finding in assembled(&broken).findings {
            let shown = render(&finding.diagnostic, "broken.v.pica", Some(&broken), self.colour);
            self.block(&shown);
        }

        self.step(
            "Run, in float24 as the machine computes",
            "shisa run flat.shbin --input examples/flat.json",
        );
        for set in
            shisa::run_shader(&flat, &ShaderSet::from_json(FLAT_INPUT)?, RunOptions::default(), settings)?
        {
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
        if let Code::Text(text) = shisa::translate(&flat, glsl, &options, settings)?.code {
            self.block(&text);
        }
        Ok(())
    }

    /// A kernel of Maxwell: its control bits are text, too.
    fn maxwell(&mut self, settings: &Settings) -> shisa::Result<()> {
        self.step("A kernel of NVIDIA's Maxwell", "shisa asm examples/saxpy.maxwell -o saxpy.bin");
        self.block(SAXPY);
        let assembled = |text: &str| {
            shisa::assemble_maxwell(text, &AssembleMaxwell::default(), None, settings)
                .map(|done| done.bytes.unwrap_or_default())
        };
        let saxpy = assembled(SAXPY)?;
        let identity = shisa::identify(&saxpy, settings);
        let container = identity.container.unwrap_or("unknown");
        let sure = identity.confidence.map_or("unknown", |c| c.name());
        self.say(&format!("That became {} bytes; identify finds {container}, {sure}.", saxpy.len()));

        self.step("Disassemble, as nvdisasm does", "shisa dis saxpy.bin --syntax nvdisasm");
        let maxwell = MaxwellListing { syntax: MaxwellSyntax::Nvdisasm, ..MaxwellListing::default() };
        let text = shisa::disassemble(&saxpy, &Listing { maxwell, ..Listing::default() }, settings)?;
        self.block(&text);
        let listing = shisa::disassemble(&saxpy, &Listing::default(), settings)?;
        let same = if assembled(&listing)? == saxpy { "the same bytes" } else { "other bytes" };
        self.say(&format!("The default listing has the control bits, and gives {same} back."));

        self.step("Ask", "shisa explain control-codes");
        for found in shisa::explain("control-codes", Some(shisa::Isa::Maxwell))? {
            self.block(&found.to_string());
        }
        Ok(())
    }

    /// A kernel of AGX: a loop that lanes leave one by one.
    fn agx(&mut self, settings: &Settings) -> shisa::Result<()> {
        self.step("A kernel of Apple's M1 (AGX)", "shisa asm examples/collatz.agx -o collatz.bin");
        self.block(COLLATZ);
        let assembled = |text: &str| {
            shisa::assemble_agx(text, &AssembleAgx::default(), settings)
                .map(|done| done.bytes.unwrap_or_default())
        };
        let collatz = assembled(COLLATZ)?;
        self.say(&format!("That became {} bytes.", collatz.len()));

        self.step("Disassemble, as applegpu does", "shisa dis collatz.bin --syntax applegpu");
        let agx = AgxListing { syntax: Syntax::Applegpu, ..AgxListing::default() };
        let text = shisa::disassemble(&collatz, &Listing { agx, ..Listing::default() }, settings)?;
        self.block(&text);
        let listing = shisa::disassemble(&collatz, &Listing::default(), settings)?;
        let same = if assembled(&listing)? == collatz { "the same bytes" } else { "other bytes" };
        self.say(&format!(
            "The default listing is Mesa's text with what that leaves out, and gives {same} back."
        ));

        self.step("Run", "shisa run collatz.bin --input examples/collatz.json");
        let output = shisa::run_json(&collatz, COLLATZ_INPUT, RunOptions::default(), settings)?;
        let memory = output.pointer("/buffers/0/expect").and_then(|text| text.as_str()).unwrap_or_default();
        let steps = shisa::from_base64(memory).unwrap_or_default();
        let steps: Vec<String> = steps.chunks(4).filter_map(|word| word.first()).map(u8::to_string).collect();
        self.say(&format!("The numbers from 1 to {} come to 1 in {} steps.", steps.len(), steps.join(", ")));

        self.step("Translate", "shisa translate collatz.bin --to wgsl");
        if let Code::Text(text) =
            shisa::translate(&collatz, Target::Wgsl, &Options::default(), settings)?.code
        {
            self.block(&text);
        }

        self.step("Ask", "shisa explain nesting-counter");
        for found in shisa::explain("nesting-counter", Some(shisa::Isa::Agx))? {
            self.block(&found.to_string());
        }
        Ok(())
    }

    /// Runs the fog on four pixels and shows colours.
    fn pixels(&mut self, program: &[u8], settings: &Settings) -> shisa::Result<()> {
        let distances = [1.0, 3.0, 5.0, 10.0];
        let input = RunInput::new(distances.len())
            .input("v0", [[1.0, 0.0, 0.0, 1.0]; 4])
            .input("v1", distances.map(|d| [d, 0.0, 0.0, 0.0]))
            .constant("fc0", [0.5, 0.5, 0.5, 1.0])
            .constant("fc1", [2.0, 0.25, 8.0, 0.0]);
        let output = shisa::run(program, &input, RunOptions::default(), settings)?;
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
