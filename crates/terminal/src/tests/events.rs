//! Keys, the command line and the mouse.

use super::*;
use crate::pane::Pane;
use ratatui::crossterm::event::{KeyEventKind, MouseButton, MouseEvent, MouseEventKind};

fn time(app: &App) -> u64 {
    app.commands.session().time()
}

/// What is in the output.
fn output(app: &App) -> String {
    app.output.iter().map(|(_, line)| format!("{line}\n")).collect()
}

fn control(app: &mut App, letter: char) -> Flow {
    app.update(&Event::Key(KeyEvent::new(KeyCode::Char(letter), KeyModifiers::CONTROL)))
}

#[test]
fn keys_move_in_both_directions() {
    let mut app = app([80, 24]);
    let mut times = Vec::new();
    for key in ["s", "n", "t", "b", "S", "c", "r", "s", "N", "T"] {
        keys(&mut app, key);
        times.push(time(&app));
    }
    let end = app.commands.session().recorded().end();
    assert_eq!(times, [1, 2, 3, 2, 1, end, 0, 1, 0, 0]);
    press(&mut app, KeyCode::End);
    assert_eq!(time(&app), end);
    press(&mut app, KeyCode::Home);
    keys(&mut app, "uif ft1.x > 0.5\n");
    assert_eq!((time(&app), app.selected), (3, 3));
    // A released key is no second key.
    let mut key = KeyEvent::new(KeyCode::Char('s'), KeyModifiers::NONE);
    key.kind = KeyEventKind::Release;
    app.update(&Event::Key(key));
    assert_eq!(time(&app), 3);
}

#[test]
fn registers_that_the_latest_move_changed_are_marked() {
    let mut app = app([80, 24]);
    let changed = |app: &App| {
        let registers = app.shown.registers.iter().filter(|register| register.is_changed);
        registers.map(|register| register.name.clone()).collect::<Vec<_>>()
    };
    keys(&mut app, "s");
    assert_eq!(changed(&app), ["ft0"]);
    // A command that does not move changes nothing.
    keys(&mut app, "pft0\n ");
    assert_eq!(changed(&app), ["ft0"]);
    keys(&mut app, "s");
    assert!(changed(&app).is_empty());
    keys(&mut app, "s");
    assert_eq!(changed(&app), ["ft1"]);
    // The values of another lane are no change.
    keys(&mut app, "]");
    assert!(changed(&app).is_empty());
}

#[test]
fn lanes_are_chosen_and_marked() {
    let mut app = app([200, 60]);
    keys(&mut app, "ssss");
    let lanes: Vec<_> = app.shown.lanes.iter().map(|lane| (lane.is_active, lane.is_killed)).collect();
    assert_eq!(lanes, [(false, true), (false, false), (true, false), (true, false)]);
    keys(&mut app, "[");
    assert_eq!(app.commands.session().focus(), Some(1));
    keys(&mut app, "[[");
    assert_eq!(app.commands.session().focus(), Some(0));
    keys(&mut app, "a");
    assert_eq!(app.commands.session().focus(), None);
}

#[test]
fn breakpoints_are_set_and_removed() {
    let mut app = app([80, 24]);
    press(&mut app, KeyCode::Down);
    press(&mut app, KeyCode::Down);
    keys(&mut app, " ");
    assert_eq!(app.commands.state().points[0].command, "break 0x2");
    assert!(text(&app).contains("●    0x0002"));
    keys(&mut app, ":disable 1\n");
    assert!(text(&app).contains("○    0x0002"));
    keys(&mut app, " ");
    assert!(app.commands.session().breakpoints().is_empty());
    press(&mut app, KeyCode::Down);
    press(&mut app, KeyCode::Enter);
    assert_eq!(time(&app), 3);
}

#[test]
fn the_command_line_completes_recalls_and_fails() {
    let mut app = app([80, 24]);
    keys(&mut app, ":bre");
    press(&mut app, KeyCode::Tab);
    assert_eq!(app.line.text(), "break");
    assert!(output(&app).contains("break  breakpoints"));
    keys(&mut app, " 3 if ft");
    press(&mut app, KeyCode::Tab);
    assert_eq!(app.line.text(), "break 3 if ft");
    keys(&mut app, "25.w");
    press(&mut app, KeyCode::Tab);
    assert_eq!(app.line.text(), "break 3 if ft25.w ");
    control(&mut app, 'w');
    keys(&mut app, "ft1.x\n");
    assert_eq!(app.commands.state().points[0].command, "break 3 if ft1.x");
    keys(&mut app, ":unknown\n");
    assert!(output(&app).contains("there is no command \"unknown\""));
    keys(&mut app, ":");
    press(&mut app, KeyCode::Up);
    press(&mut app, KeyCode::Up);
    assert_eq!(app.line.text(), "break 3 if ft1.x");
    press(&mut app, KeyCode::Esc);
    keys(&mut app, ":on na");
    press(&mut app, KeyCode::Tab);
    assert_eq!(app.line.text(), "on nan ");
    app.update(&Event::Paste("\n\u{1b}x".into()));
    assert_eq!(app.line.text(), "on nan x");
    control(&mut app, 'c');
    assert!(!app.is_writing);
}

#[test]
fn the_command_line_is_edited_at_its_cursor() {
    let mut app = app([80, 24]);
    keys(&mut app, ":step\n:back\n:print ft1");
    press(&mut app, KeyCode::Home);
    press(&mut app, KeyCode::Delete);
    control(&mut app, 'e');
    keys(&mut app, "!");
    assert_eq!(app.line.text(), "rint ft1!");
    control(&mut app, 'a');
    for _ in 0..4 {
        press(&mut app, KeyCode::Right);
    }
    control(&mut app, 'k');
    assert_eq!(app.line.text(), "rint");
    press(&mut app, KeyCode::Left);
    control(&mut app, 'u');
    assert_eq!(app.line.text(), "t");
    let mut recalled = Vec::new();
    for letter in ['p', 'p', 'n'] {
        control(&mut app, letter);
        recalled.push(app.line.text().to_owned());
    }
    assert_eq!(recalled, ["back", "step", "back"]);
    press(&mut app, KeyCode::Down);
    assert_eq!(app.line.text(), "");
}

#[test]
fn the_help_is_read_up_to_its_last_line() {
    let mut app = app([80, 24]);
    keys(&mut app, "?");
    let first = |app: &App| rows(app)[2].clone();
    let top: Vec<String> = rows(&app)[1..5].to_vec();
    press(&mut app, KeyCode::Down);
    press(&mut app, KeyCode::Down);
    assert_eq!(rows(&app)[1], top[2]);
    press(&mut app, KeyCode::Up);
    assert_eq!(first(&app), top[2]);
    let page = rows(&app)[21].clone();
    keys(&mut app, " ");
    assert_eq!(rows(&app)[1], page);
    press(&mut app, KeyCode::PageUp);
    assert_eq!(first(&app), top[2]);
    for _ in 0..9 {
        press(&mut app, KeyCode::PageDown);
    }
    let last = shisa_debug::COMMANDS.last().unwrap();
    assert!(rows(&app)[20].contains(last.help), "{}", text(&app));
}

#[test]
fn every_command_can_be_written() {
    let mut app = app([80, 24]);
    for command in shisa_debug::COMMANDS.iter().filter(|command| command.name != "quit") {
        assert_eq!(keys(&mut app, &format!(":{} 0\n", command.name)), Flow::Continue, "{}", command.name);
    }
    assert_eq!(keys(&mut app, ":quit\n"), Flow::End);
}

#[test]
fn nothing_is_lost_by_the_key_that_leaves() {
    let (mut app, saved) = app_with(Colors::Off, [80, 24]);
    keys(&mut app, "ss ");
    assert_eq!(keys(&mut app, "q"), Flow::Continue);
    assert!(output(&app).contains("the breakpoints are not saved"));
    // Another key takes the first one back.
    assert_eq!(keys(&mut app, "sq"), Flow::Continue);
    keys(&mut app, ":save full\n");
    assert!(output(&app).contains("cannot write full"));
    assert_eq!(keys(&mut app, "q"), Flow::Continue);
    keys(&mut app, ":save a.json\n");
    let (name, state) = saved.lock().unwrap()[0].clone();
    assert_eq!((name.as_str(), state.step, state.points.len()), ("a.json", 3, 1));
    assert_eq!(keys(&mut app, "q"), Flow::End);
    let (mut unsaved, _) = app_with(Colors::Off, [80, 24]);
    assert_eq!(keys(&mut unsaved, " qq"), Flow::End);
    let mut untouched = super::app([80, 24]);
    assert_eq!(keys(&mut untouched, "ssq"), Flow::End);
}

#[test]
fn keys_of_terminals() {
    let mut app = app([80, 24]);
    assert_eq!([control(&mut app, 'l'), control(&mut app, 'z')], [Flow::Redraw, Flow::Suspend]);
    assert_eq!(app.update(&Event::Resize(200, 60)), Flow::Continue);
    assert!(app.areas().unwrap().pane(Pane::Textures).is_some());
    for pane in Pane::ALL.into_iter().skip(1) {
        press(&mut app, KeyCode::Tab);
        assert_eq!(app.focus, pane);
    }
    press(&mut app, KeyCode::BackTab);
    assert_eq!(app.focus, Pane::Text);
    keys(&mut app, "v");
    assert_eq!(app.text().map(Document::title), Some("Other"));
    keys(&mut app, "v");
    assert!(app.text().is_none());
}

/// Clicks at the first position of a text in the window, so many columns after its start.
fn click(app: &mut App, text: &str, after: usize) {
    let found = rows(app).iter().enumerate().find_map(|(row, line)| {
        let at = line.find(text)?;
        Some((line[..at].chars().count(), row))
    });
    let (column, row) = found.unwrap();
    let kind = MouseEventKind::Down(MouseButton::Left);
    let (column, row) = ((column + after) as u16, row as u16);
    app.update(&Event::Mouse(MouseEvent { kind, column, row, modifiers: KeyModifiers::NONE }));
}

#[test]
fn the_mouse_selects_runs_and_sets_breakpoints() {
    let mut app = app([200, 60]);
    click(&mut app, "0x0003", 0);
    assert_eq!((app.selected, time(&app)), (3, 0));
    click(&mut app, "0x0003", 0);
    assert_eq!(time(&app), 3);
    // The margin is to the left of the arrow.
    click(&mut app, "=> 0x0003", 0);
    assert!(app.commands.session().breakpoints().is_empty());
    let row = rows(&app).iter().position(|row| row.contains("0x0005")).unwrap() as u16;
    for kind in [MouseEventKind::Moved, MouseEventKind::Down(MouseButton::Left)] {
        app.update(&Event::Mouse(MouseEvent { kind, column: 1, row, modifiers: KeyModifiers::NONE }));
    }
    assert_eq!(app.commands.state().points[0].command, "break 0x5");
    click(&mut app, "     2 0.", 3);
    assert_eq!((app.commands.session().focus(), app.focus), (Some(2), Pane::Lanes));
    let wheel =
        MouseEvent { kind: MouseEventKind::ScrollDown, column: 5, row, modifiers: KeyModifiers::NONE };
    app.update(&Event::Mouse(wheel));
    assert_eq!(app.selected, 6);
    let wheel = MouseEvent { kind: MouseEventKind::ScrollUp, ..wheel };
    app.update(&Event::Mouse(wheel));
    assert_eq!(app.selected, 3);
    // Below the last line of the listing.
    let below = rows(&app).iter().position(|row| row.contains("0x0007")).unwrap() as u16 + 1;
    let kind = MouseEventKind::Down(MouseButton::Left);
    app.update(&Event::Mouse(MouseEvent { kind, row: below, ..wheel }));
    assert_eq!((app.selected, app.focus), (3, Pane::Listing));
    // Outside of everything.
    let wheel = MouseEvent { column: 999, row: 999, ..wheel };
    assert_eq!(app.update(&Event::Mouse(wheel)), Flow::Continue);
}

#[test]
fn memory_and_lanes_show_what_commands_show() {
    let mut app = app([200, 60]);
    keys(&mut app, "lv0.x * 2.0\n");
    let values: Vec<_> = app.shown.lanes.iter().map(|lane| lane.value.clone()).collect();
    assert_eq!(values, ["0.5", "1.0", "1.5", "2.0"]);
    assert!(text(&app).contains("3 Lanes: v0.x * 2.0"));
    keys(&mut app, "xglobal[0]\n");
    assert!(app.shown.memory.is_none() && output(&app).contains("global"));
}

#[test]
fn the_chosen_texture_is_clicked_or_scrolled_to() {
    let (mut app, _) = app_of(commands(2), Colors::Off, [200, 60]);
    assert!(text(&app).contains(">unit 0") && text(&app).contains(" unit 1"), "{}", text(&app));
    click(&mut app, " unit 1", 1);
    assert_eq!((app.watch.texture, app.focus), (1, Pane::Textures));
    assert!(text(&app).contains(">unit 1"));
    press(&mut app, KeyCode::Up);
    assert_eq!(app.watch.texture, 0);
    press(&mut app, KeyCode::Down);
    press(&mut app, KeyCode::Down);
    assert_eq!(app.watch.texture, 1, "the last one");
    // Below the names are texels.
    let row = rows(&app).iter().position(|row| row.contains(">unit 1")).unwrap() as u16 + 2;
    let kind = MouseEventKind::Down(MouseButton::Left);
    app.update(&Event::Mouse(MouseEvent { kind, column: 170, row, modifiers: KeyModifiers::NONE }));
    assert_eq!((app.watch.texture, app.focus), (1, Pane::Textures));
}

#[test]
fn the_output_shows_earlier_lines() {
    let mut app = app([80, 24]);
    for number in 0..9 {
        keys(&mut app, &format!(":unknown{number}\n"));
    }
    assert!(text(&app).contains("unknown8") && !text(&app).contains("unknown7"), "{}", text(&app));
    let kind = MouseEventKind::ScrollUp;
    app.update(&Event::Mouse(MouseEvent { kind, column: 5, row: 20, modifiers: KeyModifiers::NONE }));
    assert!(text(&app).contains("unknown7") && !text(&app).contains("unknown8"), "{}", text(&app));
}

#[test]
fn the_listing_replaces_no_other_pane() {
    let mut app = app([80, 24]);
    keys(&mut app, "31");
    assert_eq!(app.focus, Pane::Listing);
    assert!(text(&app).contains("3 Lanes"), "{}", text(&app));
}
