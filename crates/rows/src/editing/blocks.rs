//! Lines that belong together.

use super::grammar::Fold;
use super::outline::{Folding, Outline};
use alloc::vec::Vec;
use shisa_diag::Span;

/// An open block.
struct Open {
    /// Its first statement.
    from: Span,
    section: bool,
}

/// A block, and its first statement.
struct Block {
    from: Span,
    span: Span,
}

impl Outline {
    /// Ranges of lines that belong together, each from its first statement to its last, in the order of the source.
    pub fn blocks(&self) -> Vec<Span> {
        let mut blocks: Vec<Span> = self.closed().into_iter().map(|block| block.span).collect();
        blocks.sort_unstable();
        blocks
    }

    /// For each symbol its definition with all that belongs to it, such as the instructions of a procedure.
    pub fn extents(&self) -> Vec<Span> {
        let statement = |span: Span| self.statements.get(self.statement_before(span.start)?);
        let defined = |span: Span| statement(span).map_or(span, |statement| statement.span);
        let mut extents: Vec<Span> = self.symbols.iter().map(|symbol| defined(symbol.span)).collect();
        for Block { from, span } in self.closed() {
            let first = self.symbols.partition_point(|symbol| symbol.span.start < from.start);
            let last = self.symbols.partition_point(|symbol| symbol.span.start < from.end);
            extents.iter_mut().take(last).skip(first).for_each(|extent| *extent = span);
        }
        extents
    }

    /// The blocks, in the order of their ends.
    fn closed(&self) -> Vec<Block> {
        let (mut open, mut closed): (Vec<Open>, Vec<Block>) = (Vec::new(), Vec::new());
        let mut close = |open: &mut Vec<Open>, end: Span| {
            closed.extend(open.pop().map(|Open { from, .. }| Block { from, span: from.to(end) }));
        };
        for &Folding { span, fold, opens, closes } in &self.folds {
            // The statement before it. The first one has none, and then no block is open.
            let before = self.statements.partition_point(|s| s.span.start < span.start).checked_sub(1);
            let last = before.and_then(|number| self.statements.get(number)).map_or(span, |s| s.span);
            let section = matches!(fold, Fold::Section | Fold::Scope);
            while section && !open.is_empty() {
                close(&mut open, last);
            }
            let ends = closes + usize::from(matches!(fold, Fold::Closes | Fold::Divides));
            let ended = if fold == Fold::Divides { last } else { span };
            for _ in opens.min(ends)..ends {
                if open.last().is_some_and(|block| !block.section) {
                    close(&mut open, ended);
                }
            }
            let begins = usize::from(section || matches!(fold, Fold::Opens | Fold::Divides));
            for _ in 0..begins + opens.saturating_sub(closes) {
                open.push(Open { from: span, section });
            }
        }
        while let (false, Some(last)) = (open.is_empty(), self.statements.last()) {
            close(&mut open, last.span);
        }
        closed
    }
}
