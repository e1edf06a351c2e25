//! Runs the file tests of `tests/` and the commands in `README.md` and the book. `tests/readme.agal` explains the
//! suite. `BLESS=1` writes the actual results as the expected ones.

use libtest_mimic::{Arguments, Failed, Trial};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

/// Arguments of a test executable whose value is the argument after them.
const TAKES_VALUE: [&str; 5] = ["--test-threads", "--skip", "--color", "--format", "--logfile"];

fn main() -> ExitCode {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let mut pages = vec![root.join("README.md")];
    walk(&root.join("docs/book/src"), &mut pages);
    pages.retain(|page| page.extension().is_some_and(|e| e == "md"));
    let mut trials: Vec<Trial> = pages
        .into_iter()
        .map(|page| {
            let (root, name) =
                (root.clone(), page.strip_prefix(&root).unwrap_or(&page).display().to_string());
            Trial::test(name, move || shown(&root, &page))
        })
        .collect();
    let mut files = Vec::new();
    walk(&root.join("tests"), &mut files);
    // Expected results may repeat the lines of their test.
    files.retain(|f| f.extension().is_none_or(|e| e != "out" && e != "err"));
    files.sort();
    for file in files {
        let Ok(text) = fs::read_to_string(&file) else { continue };
        let runs: Vec<String> = text.lines().filter_map(directive).map(str::to_owned).collect();
        if runs.is_empty() {
            continue;
        }
        let name = file.strip_prefix(&root).unwrap_or(&file).display().to_string();
        let root = root.clone();
        trials.push(Trial::test(name.clone(), move || file_test(&root, &name, &runs)));
    }
    let (names, mut arguments) = arguments();
    if names.len() > 1 {
        trials.retain(|trial| names.iter().any(|name| name == trial.name()));
        arguments.filter = None;
    }
    libtest_mimic::run(&arguments, trials).exit_code()
}

/// The names of tests among the arguments, and the arguments with at most one name, which is all that their parser
/// takes. The names of several tests are complete names.
fn arguments() -> (Vec<String>, Arguments) {
    let (mut names, mut rest) = (Vec::new(), Vec::new());
    let mut is_value = false;
    for argument in std::env::args() {
        let is_name = !rest.is_empty() && !is_value && !argument.starts_with('-');
        is_value = argument.starts_with("--") && TAKES_VALUE.contains(&argument.as_str());
        match is_name {
            true => names.push(argument),
            false => rest.push(argument),
        }
    }
    rest.extend(names.first().cloned());
    (names, Arguments::from_iter(rest))
}

fn walk(dir: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => walk(&path, files),
            false => files.push(path),
        }
    }
}

/// The text after `RUN:` in a comment line.
fn directive(line: &str) -> Option<&str> {
    let comment = ["//", "#", ";"].iter().find_map(|mark| line.trim().strip_prefix(mark))?;
    comment.trim().strip_prefix("RUN:").map(str::trim)
}

/// What a command wrote.
struct Outcome {
    out: String,
    err: String,
}

fn file_test(root: &Path, name: &str, runs: &[String]) -> Result<(), Failed> {
    let mut all = Outcome { out: String::new(), err: String::new() };
    for run in runs {
        let one = pipeline(root, &run.replace('%', name))?;
        all.out += &one.out;
        all.err += &one.err;
    }
    expect(&root.join(format!("{name}.out")), &all.out)?;
    expect(&root.join(format!("{name}.err")), &all.err)
}

/// Runs `shisa … | shisa … | head -c 0`: the output of each command is the input of the next.
fn pipeline(root: &Path, line: &str) -> Result<Outcome, Failed> {
    let mut input = Vec::new();
    let mut err = String::new();
    for command in line.split(" | ") {
        let mut words = command.split_whitespace();
        if words.next() != Some("shisa") {
            return Err(format!("only shisa can be run: {command}").into());
        }
        let mut child = Command::new(env!("CARGO_BIN_EXE_shisa"))
            .args(words)
            .current_dir(root)
            .env_remove("NO_COLOR")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let mut stdin = child.stdin.take().ok_or("no input")?;
        // A command that reads nothing may close its input early.
        let writer = std::thread::spawn(move || drop(stdin.write_all(&input)));
        let output = child.wait_with_output()?;
        writer.join().map_err(|_| "writing failed")?;
        err += &String::from_utf8(output.stderr)?;
        if !output.status.success() {
            err += &match output.status.code() {
                Some(code) => format!("[status {code}]\n"),
                None => "[killed]\n".into(),
            };
        }
        input = output.stdout;
    }
    let out = String::from_utf8(input).map_err(|_| "the output is not text; pipe it into `shisa dis -`")?;
    Ok(Outcome { out, err })
}

fn blessing() -> bool {
    std::env::var_os("BLESS").is_some_and(|v| v == "1")
}

/// Compares with a file; one that does not exist is empty.
fn expect(path: &Path, got: &str) -> Result<(), Failed> {
    let want = fs::read_to_string(path).unwrap_or_default();
    if want == got {
        return Ok(());
    }
    if blessing() {
        if got.is_empty() {
            fs::remove_file(path)?;
        } else {
            fs::write(path, got)?;
        }
        return Ok(());
    }
    Err(format!("{}\n{}", path.display(), difference(&want, got)).into())
}

/// The lines around the first difference.
fn difference(want: &str, got: &str) -> String {
    let (want, got): (Vec<&str>, Vec<&str>) = (want.lines().collect(), got.lines().collect());
    let first = want.iter().zip(&got).take_while(|(w, g)| w == g).count();
    let show = |lines: &[&str], mark: &str| -> String {
        lines.iter().skip(first).take(8).map(|l| format!("{mark}{l}\n")).collect()
    };
    format!("from line {} on:\n{}{}", first + 1, show(&want, "-"), show(&got, "+"))
}

/// Runs every `$ shisa …` line of a page's console blocks, and compares the output with the lines below it.
fn shown(root: &Path, page: &Path) -> Result<(), Failed> {
    let text = fs::read_to_string(page)?;
    let mut new = String::new();
    let mut lines = text.lines().peekable();
    let mut console = false;
    while let Some(line) = lines.next() {
        new += line;
        new.push('\n');
        if line.starts_with("```") {
            console = line == "```console";
        }
        let Some(command) = line.strip_prefix("$ ").filter(|c| console && c.starts_with("shisa ")) else {
            continue;
        };
        while lines.peek().is_some_and(|l| !l.starts_with("$ ") && !l.starts_with("```")) {
            lines.next();
        }
        let outcome = pipeline(root, command)?;
        for part in [outcome.out, outcome.err] {
            part.lines().filter(|l| !l.starts_with("[status")).for_each(|l| {
                new += l.trim_end();
                new.push('\n');
            });
        }
    }
    expect(page, &new)
}
