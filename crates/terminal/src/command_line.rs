//! The line in which commands are written.

/// The largest number of commands in the history.
const MOST_LINES: usize = 1000;

/// The text of a command line with its cursor, and the lines before.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct CommandLine {
    text: String,
    /// The offset of the cursor in bytes, at the start of a character.
    cursor: usize,
    history: Vec<String>,
    /// The line of the history that is shown, counted from the latest; `None` for a new one.
    recalled: Option<usize>,
}

impl CommandLine {
    pub(crate) fn text(&self) -> &str {
        &self.text
    }

    /// The text before the cursor.
    pub(crate) fn before(&self) -> &str {
        &self.text[..self.cursor]
    }

    /// Replaces the text, with the cursor after it.
    pub(crate) fn set(&mut self, text: &str) {
        self.text = text.to_owned();
        self.cursor = self.text.len();
    }

    /// Takes the text as a command, which becomes the latest line of the history.
    pub(crate) fn take(&mut self) -> String {
        let line = std::mem::take(&mut self.text);
        (self.cursor, self.recalled) = (0, None);
        if !line.trim().is_empty() && self.history.last() != Some(&line) {
            self.history.push(line.clone());
            if self.history.len() > MOST_LINES {
                self.history.remove(0);
            }
        }
        line
    }

    pub(crate) fn insert(&mut self, text: &str) {
        let text: String = text.chars().filter(|c| !c.is_control()).collect();
        self.text.insert_str(self.cursor, &text);
        self.cursor += text.len();
    }

    /// Replaces the text from an offset up to the cursor.
    pub(crate) fn replace(&mut self, start: usize, text: &str) {
        if self.text.is_char_boundary(start) && start <= self.cursor {
            self.text.replace_range(start..self.cursor, text);
            self.cursor = start + text.len();
        }
    }

    /// Removes the character before the cursor.
    pub(crate) fn remove_before(&mut self) {
        let to = self.cursor;
        self.left();
        self.text.replace_range(self.cursor..to, "");
    }

    /// Removes the character after the cursor.
    pub(crate) fn remove_after(&mut self) {
        let from = self.cursor;
        self.right();
        self.text.replace_range(from..self.cursor, "");
        self.cursor = from;
    }

    /// Removes the word before the cursor.
    pub(crate) fn remove_word(&mut self) {
        let before = self.before().trim_end();
        let start = before.rfind(char::is_whitespace).map_or(0, |at| at + 1);
        self.replace(start, "");
    }

    /// Removes what is before the cursor.
    pub(crate) fn remove_start(&mut self) {
        self.replace(0, "");
    }

    /// Removes what is after the cursor.
    pub(crate) fn remove_end(&mut self) {
        self.text.truncate(self.cursor);
    }

    pub(crate) fn left(&mut self) {
        let step = self.before().chars().next_back().map_or(0, char::len_utf8);
        self.cursor -= step;
    }

    pub(crate) fn right(&mut self) {
        let step = self.text[self.cursor..].chars().next().map_or(0, char::len_utf8);
        self.cursor += step;
    }

    pub(crate) fn home(&mut self) {
        self.cursor = 0;
    }

    pub(crate) fn end(&mut self) {
        self.cursor = self.text.len();
    }

    /// Shows the line of the history before or after the one that is shown.
    pub(crate) fn recall(&mut self, earlier: bool) {
        let wanted = match (self.recalled, earlier) {
            (None, true) => Some(0),
            (None, false) => return,
            (Some(number), true) => Some(number + 1),
            (Some(number), false) => number.checked_sub(1),
        };
        let Some(number) = wanted else {
            self.recalled = None;
            return self.set("");
        };
        if let Some(line) = self.history.iter().rev().nth(number).cloned() {
            self.recalled = Some(number);
            self.set(&line);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_edited_at_the_cursor() {
        let mut line = CommandLine::default();
        line.insert("print r4é\n");
        assert_eq!(line.text(), "print r4é");
        line.left();
        line.remove_before();
        line.insert("5");
        assert_eq!((line.text(), line.before()), ("print r5é", "print r5"));
        line.remove_after();
        line.remove_after();
        line.remove_word();
        assert_eq!(line.text(), "print ");
        line.home();
        line.left();
        line.remove_before();
        line.right();
        line.remove_start();
        assert_eq!((line.text(), line.before()), ("rint ", ""));
        line.end();
        line.remove_end();
        line.replace(99, "x");
        line.replace(4, "!");
        assert_eq!(line.text(), "rint!");
        // Neither after the cursor nor inside of a character.
        line.set("é2");
        line.replace(1, "x");
        line.left();
        line.replace(3, "x");
        assert_eq!((line.text(), line.before()), ("é2", "é"));
    }

    #[test]
    fn the_history_has_each_command_once_in_a_row() {
        let mut line = CommandLine::default();
        line.recall(true);
        line.recall(false);
        for text in ["step", "step", "back", " "] {
            line.set(text);
            line.take();
        }
        let mut seen = Vec::new();
        for earlier in [true, true, true, false, false, false] {
            line.recall(earlier);
            seen.push(line.text().to_owned());
        }
        assert_eq!(seen, ["back", "step", "step", "back", "", ""]);
    }
}
