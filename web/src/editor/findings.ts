import type { Diagnostic as Finding } from "shisa";
import { type Diagnostic, setDiagnostics } from "@codemirror/lint";
import type { EditorView } from "@codemirror/view";
import { instructionAt } from "../model/lines.ts";
import type { Listing } from "../model/state.ts";
import { offsetInText } from "../model/text.ts";

/** Marks findings in the text. A finding without a location is in the pane of findings only. */
export function showFindings(view: EditorView, findings: readonly Finding[], listing: Listing | null, explain: (code: string) => void): void {
  const { doc } = view.state;
  const text = findings.length === 0 ? "" : doc.toString();
  const marks = findings.flatMap((finding): Diagnostic[] => {
    const range = rangeOf(finding, text, view, listing);
    if (range === undefined) return [];
    const notes = [...finding.notes, ...finding.help];
    return [{
      ...range,
      severity: finding.severity === "note" ? "info" : finding.severity,
      source: finding.code,
      message: [finding.message, ...notes].join("\n"),
      actions: [{ name: "Explain", apply: () => explain(finding.code) }],
    }];
  });
  view.dispatch(setDiagnostics(view.state, marks));
}

function rangeOf(finding: Finding, text: string, view: EditorView, listing: Listing | null): { from: number; to: number } | undefined {
  const { doc } = view.state;
  const label = finding.labels[0];
  if (label?.place === "text") {
    const from = Math.min(offsetInText(text, label.start), doc.length);
    return { from, to: Math.min(Math.max(offsetInText(text, label.end), from), doc.length) };
  }
  const offset = label?.start ?? finding.offset;
  if (listing !== null && offset !== null) {
    const line = listing.lines[instructionAt(listing.offsets, listing.sizes, offset)];
    if (line !== undefined && line >= 0 && line < doc.lines) {
      const { from, to } = doc.line(line + 1);
      return { from: from + (doc.sliceString(from, to).search(/\S/) || 0), to };
    }
  }
  const line = finding.line ?? 0;
  return line > 0 && line <= doc.lines ? { from: doc.line(line).from, to: doc.line(line).to } : undefined;
}
