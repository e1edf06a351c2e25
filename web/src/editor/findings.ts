import type { Diagnostic as Finding } from "shisa";
import { type Action, type Diagnostic, setDiagnostics } from "@codemirror/lint";
import type { Text } from "@codemirror/state";
import type { EditorView } from "@codemirror/view";
import { instructionAt } from "../model/lines.ts";
import type { Listing } from "../model/state.ts";
import { offsetInText } from "../model/text.ts";

/** The most findings that are marked; the pane of findings has the others. */
const MOST = 500;

/** Marks findings in the text. A finding without a location is in the pane of findings only. */
export function showFindings(view: EditorView, findings: readonly Finding[], listing: Listing | null, explain: (code: string) => void): void {
  const { doc } = view.state;
  const marks = findings.slice(0, MOST).flatMap((finding): Diagnostic[] => {
    const range = rangeOf(finding, doc, listing);
    if (range === undefined) return [];
    return [{
      ...range,
      severity: finding.severity === "note" ? "info" : finding.severity,
      source: finding.code,
      message: [finding.message, ...finding.notes, ...finding.help].join("\n"),
      actions: [...fixes(finding), { name: "Explain", apply: () => explain(finding.code) }],
    }];
  });
  view.dispatch(setDiagnostics(view.state, marks));
}

/** The replacement of the marked text that the finding states, if it states one. */
function fixes(finding: Finding): Action[] {
  const fix = finding.labels[0]?.fix;
  if (fix === undefined) return [];
  return [{ name: `Write ${fix}`, apply: (view, from, to) => view.dispatch({ changes: { from, to, insert: fix } }) }];
}

function rangeOf(finding: Finding, doc: Text, listing: Listing | null): { from: number; to: number } | undefined {
  const label = finding.labels[0];
  if (label?.place === "text" && label.line !== null && label.line <= doc.lines) {
    const line = doc.line(label.line);
    const from = Math.min(line.from + codePoints(line.text, (label.column ?? 1) - 1), line.to);
    // A label counts bytes of UTF-8; a character in UTF-16 has at least one.
    const text = doc.sliceString(from, Math.min(from + label.end - label.start, doc.length));
    return { from, to: from + offsetInText(text, label.end - label.start) };
  }
  const offset = label?.start ?? finding.offset;
  if (listing === null || offset === null) return undefined;
  const number = listing.lines[instructionAt(listing.offsets, listing.sizes, offset)] ?? -1;
  if (number < 0 || number >= doc.lines) return undefined;
  const line = doc.line(number + 1);
  return { from: Math.min(line.from + Math.max(0, line.text.search(/\S/)), line.to), to: line.to };
}

/** The offset in UTF-16 of a character by its number. */
function codePoints(text: string, count: number): number {
  let at = 0;
  for (let left = count; left > 0 && at < text.length; left--) at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  return at;
}
