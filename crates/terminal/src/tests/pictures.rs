//! Whole windows, compared with files; `BLESS=1` writes them.

use super::*;
use ratatui::style::Modifier;

/// Compares a window with `snapshots/NAME.txt`.
fn compare(name: &str, shown: &str) {
    let file = format!("{}/snapshots/{name}.txt", env!("CARGO_MANIFEST_DIR"));
    if std::env::var_os("BLESS").is_some() {
        return std::fs::write(&file, shown).unwrap();
    }
    let expected = std::fs::read_to_string(&file).unwrap_or_else(|e| format!("{file}: {e}"));
    assert_eq!(shown, expected, "BLESS=1 writes {file}\n{shown}");
}

#[test]
fn windows_are_those_of_the_files() {
    for (name, size) in [("small", [80, 24]), ("wide", [130, 30]), ("large", [200, 60])] {
        let mut app = app(size);
        keys(&mut app, "sss lv0.xy\n]]s");
        compare(name, &text(&app));
    }
    let mut app = app([80, 24]);
    keys(&mut app, "?");
    compare("help", &text(&app));
    keys(&mut app, "xq");
    compare("too-small", &text(&app_with(Colors::Off, [79, 24]).0));
}

#[test]
fn every_pane_can_be_shown_in_a_small_window() {
    let mut app = app([80, 24]);
    keys(&mut app, "ssss");
    for (key, shown) in [
        ("2", "2 Registers"),
        ("3", "3 Lanes: ft0"),
        ("4", "conditions: "),
        ("5", "x chooses a memory"),
        ("6", ">unit 0: 2d rgba8 2x2, levels 1"),
        ("7", "=>   6   tex ft2"),
    ] {
        keys(&mut app, key);
        assert!(text(&app).contains(shown), "{key}\n{}", text(&app));
    }
}

/// The styles of all cells of a window.
fn styles(app: &App) -> Vec<ratatui::style::Style> {
    drawn(app, [200, 60]).content.iter().map(|cell| cell.style()).collect()
}

#[test]
fn without_colours_marks_remain() {
    use ratatui::style::Color;
    let mut off = app([200, 60]);
    keys(&mut off, "sss ");
    assert!(
        styles(&off).iter().all(|style| style.fg == Some(Color::Reset) && style.bg == Some(Color::Reset))
    );
    for mark in [Modifier::REVERSED, Modifier::BOLD] {
        assert!(styles(&off).iter().any(|style| style.add_modifier.contains(mark)), "{mark:?}");
    }
    let (mut on, _) = app_with(Colors::On, [200, 60]);
    keys(&mut on, "sss ");
    // The texels of the texture, the position, a changed register, a breakpoint.
    for color in [Color::Rgb(255, 0, 0), Color::Rgb(0, 255, 0), Color::Yellow, Color::Red] {
        assert!(styles(&on).iter().any(|style| style.fg == Some(color)), "{color}");
    }
    assert!(styles(&on).iter().any(|style| style.bg == Some(Color::Cyan)));
}

#[test]
fn control_characters_of_a_text_do_not_reach_the_terminal() {
    let mut app = app([80, 24]);
    app.note("before\u{1b}[31mred\u{9b}32m\u{7}after");
    assert!(!drawn(&app, [80, 24]).content.iter().any(|cell| cell.symbol().chars().any(char::is_control)));
}
