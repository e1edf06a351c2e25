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

/// How long the application waits for an event before it looks for signals.
const WAIT: Duration = Duration::from_millis(200);

/// Shows an application on the terminal until its session ends. A panic, a signal that ends the process and a stop by the
/// shell all leave the terminal as it was.
///
/// # Errors
/// Those of the terminal.
pub fn run(app: &mut App) -> io::Result<()> {
    let signals = Signals::new()?;
    restore_on_panic();
    let shown = show(app, &signals);
    let restored = leave();
    shown.and(restored)?;
    signals.pass_on();
    Ok(())
}

fn show(app: &mut App, signals: &Signals) -> io::Result<()> {
    let mut terminal = enter()?;
    loop {
        let size = terminal.size()?;
        app.resize(size.width, size.height);
        terminal.draw(|frame| app.draw(frame))?;
        while !event::poll(WAIT)? {
            if signals.has_ended() {
                return Ok(());
            }
        }
        match app.update(&event::read()?) {
            _ if signals.has_ended() => return Ok(()),
            Flow::Continue => {}
            Flow::End => return Ok(()),
            Flow::Redraw => terminal.clear()?,
            Flow::Suspend => {
                leave()?;
                Signals::stop()?;
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
        let _ = leave();
        hook(info);
    }));
}

/// The signals that end the process.
#[cfg(unix)]
struct Signals {
    /// The number of the signal that arrived; 0 is none.
    arrived: std::sync::Arc<std::sync::atomic::AtomicUsize>,
}

#[cfg(unix)]
impl Signals {
    fn new() -> io::Result<Signals> {
        use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
        let arrived = std::sync::Arc::default();
        for signal in [SIGHUP, SIGINT, SIGTERM] {
            signal_hook::flag::register_usize(signal, std::sync::Arc::clone(&arrived), signal as usize)?;
        }
        Ok(Signals { arrived })
    }

    fn has_ended(&self) -> bool {
        self.arrived.load(std::sync::atomic::Ordering::Relaxed) != 0
    }

    /// Ends the process as the signal that arrived does.
    fn pass_on(&self) {
        let signal = self.arrived.load(std::sync::atomic::Ordering::Relaxed);
        if signal != 0 {
            // If that fails, the process ends as after the command `quit`.
            let _ = signal_hook::low_level::emulate_default_handler(signal as i32);
        }
    }

    /// Stops the process until the shell continues it.
    fn stop() -> io::Result<()> {
        signal_hook::low_level::emulate_default_handler(signal_hook::consts::SIGTSTP)
    }
}

/// Other systems end the process without a signal.
#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    fn new() -> io::Result<Signals> {
        Ok(Signals)
    }

    fn has_ended(&self) -> bool {
        false
    }

    fn pass_on(&self) {}

    fn stop() -> io::Result<()> {
        Ok(())
    }
}
