//! Results of the native library, for the tests of the package: each line has a file and what all verbs output for
//! it.

use super::files;
use serde_json::{Map, Value, json, to_value};
use shisa::data::pictures::{Heat, Preview, preview};
use shisa::diag::{Diagnostic, Source};
use shisa::ir::print_func;
use shisa::translation::Code;
use shisa::{Error as Failure, File, Listing, Program, RunOptions, Settings};
use shisa_conformance::{Data, programs};
use shisa_run::to_base64;
use shisa_verbs::{
    Identified, LanguageName, Running, Translating, as_json, explained, set_defaults, source_map,
};
use std::error::Error;
use std::fs;
use std::io::{BufWriter, Write};
use std::path::Path;

/// Sets of programs of the corpus.
const SETS: [&str; 8] = [
    "agal/bin",
    "agal/errors",
    "pica200/bin",
    "pica200/errors",
    "agx/exec",
    "agx/links",
    "maxwell/glsl",
    "maxwell/cuda",
];
/// Programs of a file whose results are compared.
const PROGRAMS: usize = 3;
/// Instructions of a program whose fields are compared.
const INSTRUCTIONS: usize = 16;
/// The side of pictures.
const SIDE: usize = 16;

/// A file, and an input of a run if there is one.
struct Case {
    name: String,
    bytes: Vec<u8>,
    input: Option<String>,
}

/// Writes the results for all files of the repository and for one of `share` programs of the corpus.
pub(super) fn write(root: &Path, folder: &Path, share: usize) -> Result<(), Box<dyn Error>> {
    fs::create_dir_all(folder)?;
    let mut out = BufWriter::new(fs::File::create(folder.join("results.jsonl"))?);
    let mut list = BufWriter::new(fs::File::create(folder.join("files.jsonl"))?);
    let mut counts = [0, 0];
    for case in cases(root, share)? {
        let results = results(&case);
        counts = [counts[0] + 1, counts[1] + results.len()];
        let Case { name, bytes, input } = &case;
        let line = json!({ "name": name, "bytes": to_base64(bytes), "input": input, "results": results });
        writeln!(out, "{line}")?;
        let opens = !results.contains_key("open");
        writeln!(list, "{}", json!({ "name": name, "bytes": to_base64(bytes), "opens": opens }))?;
    }
    let mut out = BufWriter::new(fs::File::create(folder.join("words.jsonl"))?);
    for word in shisa::explain::words(None) {
        let found: Vec<Value> = shisa::explain(&word, None)?.iter().map(explained).collect();
        writeln!(out, "{}", json!({ "word": word, "result": found }))?;
    }
    println!("expected results: {} files, {} results", counts[0], counts[1]);
    Ok(())
}

/// The files.
fn cases(root: &Path, share: usize) -> Result<Vec<Case>, Box<dyn Error>> {
    let mut cases = Vec::new();
    for folder in ["examples", "tests"] {
        for path in
            files(&root.join(folder))?.into_iter().filter(|path| path.extension().is_none_or(|e| e != "pack"))
        {
            let name = path.strip_prefix(root)?.to_string_lossy().replace('\\', "/");
            let input = path.with_extension("").with_extension("json");
            let input = Some(input).filter(|input| input.exists() && *input != path).map(fs::read_to_string);
            cases.push(Case { name, bytes: fs::read(&path)?, input: input.transpose()? });
        }
    }
    for set in SETS {
        let family = set.split('/').next().unwrap_or(set);
        let all = programs(&Data::corpus(family)?, set)?;
        cases.extend(all.into_iter().step_by(share).map(|program| Case {
            name: format!("{set}/{}", program.name),
            bytes: program.bytes,
            input: None,
        }));
    }
    cases.extend(runs(share)?);
    Ok(cases)
}

/// Programs of the corpus with inputs.
fn runs(share: usize) -> Result<Vec<Case>, Box<dyn Error>> {
    let mut cases = Vec::new();
    for family in ["agal", "pica200"] {
        let data = Data::corpus(family)?;
        for path in data.list(&format!("{family}/run"), ".json")?.into_iter().step_by(share) {
            let text = data.text(&path)?;
            let input: Value = serde_json::from_str(&text)?;
            let program = input.get("program").and_then(Value::as_str).ok_or("a run names no program")?;
            let bytes = data.read(&format!("{family}/{program}"))?;
            cases.push(Case { name: path, bytes, input: Some(text) });
        }
    }
    let data = Data::corpus("maxwell")?;
    for shader in data.values("maxwell/glsl/shaders.jsonl")?.into_iter().step_by(share) {
        let bytes = shader.get("dksh").and_then(Value::as_str).and_then(shisa_run::from_base64);
        if let (Some(bytes), Some(input)) = (bytes, shader.get("run")) {
            cases.push(Case { name: "maxwell/glsl/run".into(), bytes, input: Some(input.to_string()) });
        }
    }
    Ok(cases)
}

/// Collects results by their names.
struct Results<'c> {
    case: &'c Case,
    found: Map<String, Value>,
}

impl Results<'_> {
    fn add(&mut self, name: &str, result: Value) {
        self.found.insert(name.to_owned(), result);
    }

    fn diagnostics(&self, list: &[Diagnostic], name: &str) -> Value {
        let source = std::str::from_utf8(&self.case.bytes).ok().map(Source::new);
        list.iter().map(|d| as_json(d, name, source.as_ref())).collect()
    }

    fn failure(&mut self, name: &str, failure: &Failure) {
        let list = self.diagnostics(&failure.diagnostics, &self.case.name);
        self.add(name, json!({ "refused": list }));
    }

    fn json(&mut self, name: &str, value: shisa::Result<Value>) {
        match value {
            Ok(value) => self.add(name, json!({ "value": value })),
            Err(failure) => self.failure(name, &failure),
        }
    }

    fn bytes(&mut self, name: &str, bytes: shisa::Result<Vec<u8>>) {
        match bytes {
            Ok(bytes) => self.add(name, json!({ "bytes": to_base64(&bytes) })),
            Err(failure) => self.failure(name, &failure),
        }
    }
}

/// A value as JSON, as calls of the package return it.
fn written(value: serde_json::Result<Value>) -> shisa::Result<Value> {
    Ok(value.map_err(|e| Diagnostic::internal("internal-json", e.to_string()))?)
}

/// All results for a file.
fn results(case: &Case) -> Map<String, Value> {
    let mut settings = Settings::untrusted();
    settings.name = Some(case.name.clone());
    let mut all = Results { case, found: Map::new() };
    let identity = File::identify(&case.bytes, &settings);
    all.json("identify", written(to_value(Identified::new(&case.name, &identity))));
    let file = match File::open(&case.bytes, &settings) {
        Ok(file) => file,
        Err(failure) => {
            all.failure("open", &failure);
            return all.found;
        }
    };
    all.json("listing", file.listing(&Listing::new()).map(Value::from));
    let listing = file.listing_json(&Listing::new());
    let json = written(to_value(&listing));
    all.json("listingJson", listing.failed().map_or(json, Err));
    checked(&mut all, &settings, None);
    for program in file.programs().take(PROGRAMS) {
        of_program(&mut all, &program, &settings);
    }
    if let Some(input) = &case.input {
        for (name, engine) in [("run", shisa_verbs::Engine::Evaluator), ("batch", shisa_verbs::Engine::Batch)]
        {
            let mut settings = settings.clone();
            Running { engine, ..Running::default() }.adjust(&mut settings);
            let opened = File::open(&case.bytes, &settings);
            all.json(name, opened.and_then(|file| file.run_json(input, RunOptions::new().trace(8))));
        }
    }
    all.found
}

/// The findings about the file or one of its programs.
fn checked(all: &mut Results<'_>, settings: &Settings, number: Option<usize>) {
    let mut settings = settings.clone();
    settings.unchecked = true;
    let name = number.map_or("check".into(), |number| format!("{number}.check"));
    let found = File::open(&all.case.bytes, &settings).and_then(|file| {
        let program = number.map(|number| file.program(number)).transpose()?;
        let found = shisa_verbs::check(&file, program.as_ref())?;
        let each = found.iter().map(|one| {
            let path = one.program.as_ref().map_or(all.case.name.clone(), |p| p.path(&all.case.name));
            all.diagnostics(std::slice::from_ref(&one.diagnostic), &path)[0].clone()
        });
        Ok(each.collect())
    });
    all.json(&name, found);
}

/// The results for a program.
fn of_program(all: &mut Results<'_>, program: &Program<'_>, settings: &Settings) {
    let number = program.number();
    let name = |verb: &str| format!("{number}.{verb}");
    let plain = program.listing(&Listing::new());
    all.json(&name("listing"), plain.clone().map(Value::from));
    all.json(&name("hex"), program.listing(&Listing::new().bytes(true).offsets(true)).map(Value::from));
    let live = program.listing_json(&Listing::new().live(true));
    let json = written(to_value(&live));
    all.json(&name("live"), live.failed().map_or(json, Err));
    checked(all, settings, Some(number));
    all.json(&name("cfg"), program.cfg().and_then(|cfg| written(to_value(&cfg))));
    all.json(&name("dot"), program.cfg().and_then(|cfg| cfg.dot()).map(Value::from));
    all.json(&name("ir"), program.lower().map(|lowered| print_func(&lowered.func).into()));
    all.json(
        &name("report"),
        program.report().map(|report| {
            let mut json = report.json;
            json["file"] = all.case.name.as_str().into();
            json
        }),
    );
    all.bytes(&name("extract"), program.extract());
    if let (Ok(_), Ok(list)) = (&plain, program.instructions(&Listing::new())) {
        let fields = list.iter().take(INSTRUCTIONS).map(|one| program.fields(one.offset));
        let fields = fields.collect::<shisa::Result<Vec<_>>>();
        all.json(&name("fields"), fields.and_then(|fields| written(to_value(&fields))));
    }
    if let (Ok(text), Some(isa)) = (&plain, program.isa()) {
        let settings = Settings::untrusted().isa(isa);
        let language = shisa_verbs::language(text.as_bytes(), None, None, &settings);
        let assembly = shisa::assemble(text, language, &settings);
        all.bytes(&name("assemble"), Ok(assembly.map_or_else(|_| Vec::new(), |done| done.bytes)));
    }
    let version =
        |version: &str| Translating { target_version: Some(version.into()), ..Translating::default() };
    let kernel = Translating { comments: true, compute: true, ..Translating::default() };
    for (verb, to, how) in [
        ("wgsl", LanguageName::Wgsl, Translating::default()),
        ("glsl", LanguageName::Glsl, Translating::default()),
        ("es", LanguageName::Glsl, version("310es")),
        ("hlsl", LanguageName::Hlsl, Translating::default()),
        ("msl", LanguageName::Msl, Translating::default()),
        ("spirv", LanguageName::Spirv, Translating::default()),
        ("kernel", LanguageName::Wgsl, kernel),
    ] {
        translated(all, program, &name(verb), to, &how);
    }
    pictured(all, program, &name("preview"));
}

fn translated(all: &mut Results<'_>, program: &Program<'_>, name: &str, to: LanguageName, how: &Translating) {
    let Ok(target) = how.target(to) else { return };
    let output = match program.translate(target, &how.options()) {
        Ok(output) => output,
        Err(failure) => return all.failure(name, &failure),
    };
    let mut object = json!({
        "reflection": output.reflection, "map": source_map(&output)["map"],
        "warnings": all.diagnostics(&output.warnings, &all.case.name),
    });
    match &output.code {
        Code::Text(text) => object["text"] = text.as_str().into(),
        Code::Words(words) => {
            let bytes = words.iter().flat_map(|word| word.to_le_bytes()).collect();
            all.bytes(&format!("{name}.bytes"), Ok(bytes));
        }
    }
    all.json(name, Ok(object));
}

fn pictured(all: &mut Results<'_>, program: &Program<'_>, name: &str) {
    let rectangle = Preview { size: [SIDE; 2], counts: true, ..Preview::default() };
    let drawn = program.shader(None).and_then(|mut shader| {
        set_defaults(&mut *shader)?;
        Ok(preview(&mut *shader, &rectangle, &program.settings().limits)?)
    });
    match drawn {
        Ok(picture) => {
            all.bytes(name, Ok(picture.image(false).bytes().to_vec()));
            if let Some(map) = Heat::Cost.map(&picture) {
                all.bytes(&format!("{name}.cost"), Ok(map.bytes().to_vec()));
            }
        }
        Err(failure) => all.failure(name, &failure),
    }
}
