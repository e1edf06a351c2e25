//! Windows of all sizes.

use super::*;
use crate::pane::Pane;

#[test]
fn no_size_panics() {
    let mut app = app([80, 24]);
    keys(&mut app, "ss ");
    for width in [1, 2, 79, 80, 119, 120, 160, 300] {
        for height in [1, 2, 23, 24, 48, 100] {
            app.resize(width, height);
            for mode in ["", "?", ":"] {
                keys(&mut app, mode);
                drawn(&app, [width, height]);
                press(&mut app, KeyCode::Esc);
            }
            for key in [KeyCode::PageDown, KeyCode::PageUp, KeyCode::Down, KeyCode::Tab, KeyCode::Right] {
                press(&mut app, key);
                drawn(&app, [width, height]);
            }
        }
    }
    app.resize(0, 0);
    press(&mut app, KeyCode::PageDown);
    press(&mut app, KeyCode::Char('s'));
}

#[test]
fn panes_do_not_overlap_and_fill_the_window() {
    for (width, height) in [(80, 24), (119, 47), (120, 24), (160, 48), (200, 60), (400, 24)] {
        for tab in Pane::ALL.into_iter().filter(|pane| pane.is_tab()) {
            let mut app = app([width, height]);
            app.show(tab);
            let areas = app.areas().unwrap();
            let mut all: Vec<_> = areas.panes.iter().map(|(_, area)| *area).collect();
            all.extend([areas.position, areas.line]);
            let sum: u32 = all.iter().map(|area| area.area()).sum();
            assert_eq!(sum, u32::from(width) * u32::from(height), "{width}x{height} {areas:?}");
            for (number, area) in all.iter().enumerate() {
                assert!(all.iter().skip(number + 1).all(|other| area.intersection(*other).area() == 0));
            }
            for pane in [Pane::Listing, Pane::Output, tab] {
                let visible = areas.pane(pane).is_some_and(|area| area.width > 20 && area.height > 4);
                assert!(visible, "{pane:?} {width}x{height} {areas:?}");
            }
        }
    }
}

#[test]
fn a_large_window_has_all_panes() {
    let app = app([200, 60]);
    let areas = app.areas().unwrap();
    assert!(Pane::ALL.into_iter().all(|pane| areas.pane(pane).is_some()));
    let is_at_its_area = |(pane, area): &(Pane, _)| areas.pane(*pane) == Some(*area);
    assert!(areas.panes.iter().all(is_at_its_area), "{areas:?}");
}
