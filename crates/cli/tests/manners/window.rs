//! The debugger's window, on a pseudo-terminal.

use crate::command::ROOT;
use crate::sessions::Folder;
use rustix::process::{Pid, Signal, kill_process};
use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
use rustix::termios::{LocalModes, Winsize, tcgetattr, tcsetwinsize};
use std::fs::File;
use std::io::{Read, Write};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::process::ExitStatusExt;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

/// How long the command may take for what it shows.
const PATIENCE: Duration = Duration::from_secs(60);

/// The command in a terminal of its own.
struct Window {
    terminal: File,
    child: Child,
    arrived: Receiver<Vec<u8>>,
    reader: JoinHandle<()>,
    parser: vt100::Parser,
    /// All bytes that arrived.
    bytes: Vec<u8>,
}

fn size([columns, rows]: [u16; 2]) -> Winsize {
    Winsize { ws_col: columns, ws_row: rows, ws_xpixel: 0, ws_ypixel: 0 }
}

impl Window {
    fn open(args: &str, [columns, rows]: [u16; 2], environment: &[(&str, &str)]) -> Window {
        let main = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY | OpenptFlags::CLOEXEC).unwrap();
        grantpt(&main).unwrap();
        unlockpt(&main).unwrap();
        tcsetwinsize(&main, size([columns, rows])).unwrap();
        let name = ptsname(&main, Vec::new()).unwrap();
        let name = std::ffi::OsStr::from_bytes(name.as_bytes());
        let open = || Stdio::from(File::options().read(true).write(true).open(name).unwrap());
        // The command gets this terminal as that of its own session, for changes of the size and for signals.
        let mut command = Command::new("setsid");
        command.args(["--ctty", "--wait", env!("CARGO_BIN_EXE_shisa")]).args(args.split_whitespace());
        command.current_dir(ROOT).env("TERM", "xterm-256color").env_remove("NO_COLOR");
        command.envs(environment.iter().copied());
        command.stdin(open()).stdout(open()).stderr(open());
        let child = command.spawn().unwrap();
        drop(command);
        let terminal = File::from(main);
        let mut reader = terminal.try_clone().unwrap();
        let (sender, arrived) = channel();
        let reader = thread::spawn(move || {
            let mut chunk = [0; 4096];
            while let Ok(count @ 1..) = reader.read(&mut chunk) {
                if sender.send(chunk[..count].to_vec()).is_err() {
                    return;
                }
            }
        });
        let parser = vt100::Parser::new(rows, columns, 0);
        Window { terminal, child, arrived, reader, parser, bytes: Vec::new() }
    }

    fn screen(&self) -> String {
        self.parser.screen().contents()
    }

    fn take(&mut self, bytes: &[u8]) {
        self.parser.process(bytes);
        self.bytes.extend_from_slice(bytes);
    }

    /// Reads until the screen is as wanted.
    fn until(&mut self, what: &str, wanted: impl Fn(&str) -> bool) {
        let end = Instant::now() + PATIENCE;
        while !wanted(&self.screen()) {
            let wait = end.saturating_duration_since(Instant::now());
            match self.arrived.recv_timeout(wait) {
                Ok(bytes) => self.take(&bytes),
                Err(e) => panic!("{what}: {e}\n{}", self.screen()),
            }
        }
    }

    fn shows(&mut self, text: &str) {
        self.until(text, |screen| screen.contains(text));
    }

    fn send(&mut self, text: &str) {
        self.terminal.write_all(text.as_bytes()).unwrap();
    }

    fn resize(&mut self, [columns, rows]: [u16; 2]) {
        self.parser.screen_mut().set_size(rows, columns);
        tcsetwinsize(&self.terminal, size([columns, rows])).unwrap();
    }

    /// Waits for the end of the command, which must leave the terminal as it was.
    fn end(mut self) -> ExitStatus {
        let status = self.child.wait().unwrap();
        while let Ok(bytes) = self.arrived.recv_timeout(Duration::from_secs(1)) {
            self.take(&bytes);
        }
        let screen = self.parser.screen();
        assert!(!screen.alternate_screen() && !screen.hide_cursor());
        assert_eq!(screen.mouse_protocol_mode(), vt100::MouseProtocolMode::None);
        status
    }
}

/// Whether a terminal echoes and waits for lines, as a shell leaves it for programs.
fn is_plain(terminal: &File) -> bool {
    let modes = tcgetattr(terminal).unwrap().local_modes;
    modes.contains(LocalModes::ECHO | LocalModes::ICANON)
}

const FOG: &str = "debug examples/fog.frag.agal --input examples/fog.json";

#[test]
fn a_session_at_two_sizes() {
    for size in [[80, 24], [200, 60]] {
        let folder = Folder::new("window");
        let mut window = Window::open(FOG, size, &[]);
        window.shows("=> 0x0000  sub ft0.x, fc1.z, v1.x");
        window.shows("2 Registers");
        // The last line is drawn last.
        window.shows("q quit");
        assert!(!is_plain(&window.terminal) && window.parser.screen().alternate_screen());
        let is_large = size[0] == 200;
        for pane in ["3 Lanes: ft0", "4 Stacks", "5 Memory", "6 Textures", "7 Source"] {
            assert_eq!(window.screen().contains(pane), is_large, "{pane}\n{}", window.screen());
        }
        window.send("s");
        window.shows("=> 0x0001  kil ft0.x");
        window.shows("*ft0 7.0");
        window.send("]");
        window.shows("step 1 of 12, wave 0, lane 1");
        // A click in the margin of the instruction at 8.
        let row = window.screen().lines().position(|line| line.contains("0x0008")).unwrap() + 1;
        window.send(&format!("\x1b[<0;2;{row}M\x1b[<0;2;{row}m"));
        window.shows("●    0x0008");
        window.send("c");
        window.shows("● => 0x0008");
        window.send("b");
        window.shows("=> 0x0007");
        window.send(":pri\tft0.y\r");
        window.shows("ft0.y = 0.25");
        window.send("?");
        window.shows("Help:");
        window.send("x");
        window.until("the help closes", |screen| !screen.contains("Help:"));
        window.send("4");
        window.shows("conditions: 1");
        // The breakpoint is not saved yet.
        window.send("q");
        window.shows("the breakpoints are not saved");
        window.send(&format!(":save {}\r", folder.file("fog.session")));
        window.shows("the session is in");
        window.send("q");
        assert!(window.end().success());
        let again = format!("debug --session {}", folder.file("fog.session"));
        let mut window = Window::open(&again, size, &[]);
        window.shows("=> 0x0007");
        window.shows("●    0x0008");
        window.shows("lane 1");
        window.send(":quit\r");
        let terminal = window.terminal.try_clone().unwrap();
        assert!(window.end().success() && is_plain(&terminal));
    }
}

#[test]
fn sizes_change_and_small_ones_have_a_message() {
    let mut window = Window::open(FOG, [79, 24], &[]);
    window.shows("the debugger needs 80x24");
    window.resize([200, 60]);
    window.shows("6 Textures");
    window.send("s");
    window.shows("=> 0x0001");
    window.resize([10, 3]);
    window.shows("is 10x3;");
    window.resize([80, 24]);
    window.shows("=> 0x0001");
    window.shows("q quit");
    window.send("q");
    assert!(window.end().success());
}

#[test]
fn no_color_has_none() {
    for (environment, has_colors) in [(&[("NO_COLOR", "1")][..], false), (&[][..], true)] {
        let mut window = Window::open(FOG, [80, 24], environment);
        window.shows("=> 0x0000");
        window.send(" s");
        window.shows("=> 0x0001");
        window.send("qq");
        let seen = String::from_utf8_lossy(&window.bytes).into_owned();
        window.end();
        let colors = ["38;5;", "48;5;", "\x1b[36m", "\x1b[46m"];
        assert_eq!(colors.iter().any(|code| seen.contains(code)), has_colors, "{seen:?}");
    }
}

#[test]
fn a_signal_leaves_the_terminal_as_it_was() {
    let mut window = Window::open(FOG, [80, 24], &[]);
    window.shows("=> 0x0000");
    let pid = Pid::from_child(&window.child);
    kill_process(pid, Signal::TERM).unwrap();
    let terminal = window.terminal.try_clone().unwrap();
    assert_eq!(window.end().signal(), Some(15));
    assert!(is_plain(&terminal));
}

#[test]
fn a_terminal_that_is_closed_ends_the_command() {
    let mut window = Window::open(FOG, [80, 24], &[]);
    window.shows("=> 0x0000");
    let Window { mut terminal, mut child, arrived, reader, .. } = window;
    // What the command writes next ends the thread that reads, so that nobody has the other end of the terminal.
    drop(arrived);
    terminal.write_all(b"s").unwrap();
    reader.join().unwrap();
    drop(terminal);
    // The signal or the error of the closed terminal ends it, whichever comes first.
    assert!(!child.wait().unwrap().success());
}

#[test]
fn lines_remain_for_those_who_want_them() {
    for (options, environment) in [(" --plain", &[][..]), ("", &[("TERM", "dumb")][..])] {
        let mut window = Window::open(&format!("{FOG}{options}"), [80, 24], environment);
        window.shows("(shisa)");
        window.send("step\n");
        window.shows("=> 0x0001");
        assert!(!window.parser.screen().alternate_screen());
        window.send("quit\n");
        assert!(window.end().success());
    }
}

#[test]
fn the_translation_follows_the_position_in_every_instruction_set() {
    for (program, steps, line) in [
        ("examples/fog.frag.agal --input examples/fog.json", 3, "=>  14 "),
        ("examples/flat.v.pica --input examples/flat.json", 3, "=>  22 "),
        ("examples/saxpy.maxwell --input examples/saxpy.json", 2, "=>   6 "),
        ("examples/collatz.agx --input examples/collatz.json", 1, "=>  10 "),
    ] {
        let mut window = Window::open(&format!("debug {program}"), [200, 60], &[]);
        window.shows("7 Source");
        window.send("v");
        window.shows("7 WGSL");
        window.send(&"s".repeat(steps));
        window.shows(line);
        window.send("q");
        assert!(window.end().success());
    }
}

#[test]
fn a_pixel_of_a_picture_has_its_quad_and_textures() {
    let folder = Folder::new("window-pixel");
    let session = folder.file("s.session");
    let mut window = Window::open("preview examples/bump.frag.agal --size 9x9 --pixel 3,8", [200, 60], &[]);
    window.shows("wave 0, lane 1");
    window.shows("unit 0: 2d");
    window.shows("▀▀▀▀");
    // The picture ends below the pixel, so the lower half of its quad only helps.
    window.shows("2 killed");
    window.send("ss");
    window.send(&format!(":save {session}\r"));
    window.shows("the session is in ");
    window.send("q");
    assert!(window.end().success());
    let mut window = Window::open(&format!("debug --session {session}"), [200, 60], &[]);
    window.shows("step 2 of ");
    window.shows("lane 1");
    window.shows("▀▀▀▀");
    window.shows("2 killed");
    window.send("q");
    assert!(window.end().success());
}
