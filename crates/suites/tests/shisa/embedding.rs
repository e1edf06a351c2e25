//! The program of the book's chapter "Embedding in a player", compiled and run.

use shisa::translation::{Bindings, Code, Options, SamplerState, Target};
use shisa::{File, Settings};

/// The WGSL of a shader that a game uploads, or the number and text of the first error.
fn wgsl(bytes: &[u8]) -> Result<(String, shisa::translation::Reflection), String> {
    let settings = Settings::new();
    let file = File::open(bytes, &settings).map_err(|e| e.to_string())?;
    let program = file.program(1).map_err(|e| e.to_string())?;
    if let Some(found) = program.check().map_err(|e| e.to_string())?.first() {
        return Err(format!("{}: {}", found.code, found.message)); // `agal-3648` is Flash's error 3648
    }
    let options = Options {
        name: "shader".into(),
        sampler_state: SamplerState::Host, // the player sets filters while it runs
        bindings: Bindings { first_texture: 2, ..Bindings::default() },
        ..Options::default()
    };
    let output = program.translate(Target::Wgsl, &options).map_err(|e| e.to_string())?;
    let Code::Text(text) = output.code else { return Err("WGSL is text".into()) };
    Ok((text, output.reflection))
}

#[test]
fn the_books_example_translates_a_shader() -> Result<(), String> {
    let source = b"// agal 1 fragment\ntex ft0, v0, fs0 <2d, linear, miplinear>\nmul oc, ft0, fc0";
    let (text, reflection) = wgsl(source)?;
    assert!(text.contains("@binding(2)"));
    assert_eq!(reflection.textures[0].name, "fs0");
    Ok(())
}

/// The lines of the book's Rust blocks are lines of this file, in order.
#[test]
fn the_book_shows_this_program() {
    let book = include_str!("../../../../docs/book/src/embedding.md");
    let mut here = include_str!("embedding.rs").lines().map(str::trim);
    let blocks = book.split("```").skip(1).step_by(2).filter_map(|block| block.strip_prefix("rust\n"));
    let shown: Vec<&str> =
        blocks.flat_map(str::lines).map(str::trim).filter(|line| !line.is_empty()).collect();
    assert!(shown.len() > 20, "the chapter has an example");
    for line in shown {
        assert!(
            here.any(|l| l == line),
            "not in crates/suites/tests/shisa/embedding.rs, or in another order: {line}"
        );
    }
}
