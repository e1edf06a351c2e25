//! The terminal of the process.

use crate::app::App;
use crate::update::Flow;
use ratatui::crossterm::cursor::Show;
use ratatui::crossterm::event::{self, DisableMouseCapture, EnableMouseCapture};
use ratatui::crossterm::execute;
use ratatui::crossterm::terminal::{
    EnterAlternateScreen, LeaveAlternateScreen, disable_raw_mode, enable_raw_mode,
};
use ratatui::prelude::CrosstermBackend;
use ratatui::{DefaultTerminal, Terminal};
use std::io;
use std::panic;
use std::time::Duration;

/// Shows an application on the terminal until its session ends. A panic, a signal that ends the process and a stop by the
/// shell all leave the terminal as it was.
///
/// # Errors
/// Those of the terminal.
pub fn run(app: &mut App) -> io::Result<()> {
    signals::restore_on_end()?;
    restore_on_panic();
    let shown = show(app);
    let restored = leave();
    shown.and(restored)
}

fn show(app: &mut App) -> io::Result<()> {
    let mut terminal = enter()?;
    // The first look for events begins to notice changes of the size. One between the first frame and then would be lost.
    event::poll(Duration::ZERO)?;
    loop {
        let size = terminal.size()?;
        app.resize(size.width, size.height);
        terminal.draw(|frame| app.draw(frame))?;
        match app.update(&event::read()?) {
            Flow::Continue => {}
            Flow::End => return Ok(()),
            Flow::Redraw => terminal.clear()?,
            Flow::Suspend => {
                leave()?;
                signals::stop()?;
                terminal = enter()?;
            }
        }
    }
}

fn enter() -> io::Result<DefaultTerminal> {
    enable_raw_mode()?;
    execute!(io::stdout(), EnterAlternateScreen, EnableMouseCapture)?;
    Terminal::new(CrosstermBackend::new(io::stdout()))
}

fn leave() -> io::Result<()> {
    // Both are tried: each is useful without the other.
    let written = execute!(io::stdout(), DisableMouseCapture, LeaveAlternateScreen, Show);
    disable_raw_mode()?;
    written
}

/// Restores the terminal before the message of a panic is written.
fn restore_on_panic() {
    let hook = panic::take_hook();
    panic::set_hook(Box::new(move |info| {
        // The message is more important than a terminal that cannot be restored.
        leave().ok();
        hook(info);
    }));
}

/// Signals of systems that have them.
#[cfg(unix)]
mod signals {
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGTSTP};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;
    use std::io;
    use std::thread;

    /// Restores the terminal before a signal ends the process. A thread does so, because the one that waits for events
    /// never returns if the terminal is closed.
    pub(super) fn restore_on_end() -> io::Result<()> {
        let mut signals = Signals::new([SIGHUP, SIGINT, SIGTERM])?;
        let wait = move || {
            for signal in signals.forever() {
                // The rest of a frame that is being written must not follow: it may hide the cursor.
                let _frames_end = io::stdout().lock();
                // A closed terminal cannot be restored.
                super::leave().ok();
                // If the process cannot be ended, its session goes on.
                emulate_default_handler(signal).ok();
            }
        };
        thread::Builder::new().name("signals".into()).spawn(wait)?;
        Ok(())
    }

    /// Stops the process until the shell continues it.
    pub(super) fn stop() -> io::Result<()> {
        emulate_default_handler(SIGTSTP)
    }
}

/// Other systems end the process without a signal, and do not stop it.
#[cfg(not(unix))]
mod signals {
    use std::io;

    pub(super) fn restore_on_end() -> io::Result<()> {
        Ok(())
    }

    pub(super) fn stop() -> io::Result<()> {
        Ok(())
    }
}
