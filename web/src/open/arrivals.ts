import type { NewDoc, Workbench } from "../model/workbench.ts";
import { button, h } from "../ui/dom.ts";
import { showDialog } from "../ui/dialog.ts";
import { parseHex } from "./hexText.ts";
import { LONGEST_LINK, readLink, writeLink } from "./link.ts";

/** The largest file that is opened, in bytes. */
const LARGEST = 256 << 20;

/** Opens files that the user chooses. */
export function chooseFiles(bench: Workbench): void {
  const input = h("input", { type: "file", multiple: true, on: { change: () => void openFiles(bench, [...(input.files ?? [])]) } });
  input.click();
}

/** Opens files; a file that is too large is named in the status bar. */
export async function openFiles(bench: Workbench, files: readonly File[]): Promise<void> {
  const docs: NewDoc[] = [];
  for (const file of files) {
    if (file.size > LARGEST) bench.say(`${file.name} has ${file.size} bytes; at most ${LARGEST} are opened`);
    else docs.push({ name: file.name, bytes: new Uint8Array(await file.arrayBuffer()) });
  }
  bench.open(docs);
}

/** Opens what is dropped anywhere on the page. */
export function acceptDrops(bench: Workbench): void {
  addEventListener("dragover", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    document.body.classList.add("dropping");
  });
  addEventListener("dragleave", (event) => {
    if (event.relatedTarget === null) document.body.classList.remove("dropping");
  });
  addEventListener("drop", (event) => {
    document.body.classList.remove("dropping");
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    void openFiles(bench, [...event.dataTransfer.files]);
  });
}

/** Asks for hex or text, and opens it. */
export function pasteDialog(bench: Workbench): void {
  const area = h("textarea", { rows: 14, spellcheck: false, attributes: { "aria-label": "Hex or text" }, placeholder: "// agal 2 fragment\nmov oc, v0" });
  const name = h("input", { type: "text", value: "pasted", attributes: { "aria-label": "Name" } });
  const dialog = showDialog("Paste hex or text",
    h("p", {}, "Bytes in hex, or a source. The first line of a source may state its instruction set, such as ", h("code", {}, "// agal 2 fragment"), "."),
    area,
    h("div", { class: "tools" },
      h("label", { class: "field" }, h("span", {}, "Name"), name),
      button("Open", () => {
        const bytes = parseHex(area.value) ?? new TextEncoder().encode(area.value);
        bench.open([{ name: name.value || "pasted", bytes }]);
        dialog.close();
      }, { class: "primary" })));
  area.focus();
}

/** Copies a link that carries the document, and shows it as the address of the page. */
export async function shareLink(bench: Workbench): Promise<void> {
  const { doc, program, input } = bench.store.state;
  if (doc === null) {
    bench.say("open a file first; the link carries it");
    return;
  }
  try {
    const fragment = await writeLink({
      name: doc.name, bytes: doc.bytes, program, ...(doc.isa === undefined ? {} : { isa: doc.isa }), ...(input === null ? {} : { input }),
    });
    if (fragment.length > LONGEST_LINK) {
      bench.say(`the link would have ${fragment.length} characters; browsers take ${LONGEST_LINK}`);
      return;
    }
    history.replaceState(null, "", `#${fragment}`);
    await navigator.clipboard.writeText(location.href);
    bench.say(`a link with ${location.href.length} characters is in the clipboard`);
  } catch (error) {
    bench.say(error instanceof Error ? error.message : String(error));
  }
}

/** Opens the program that the address of the page carries, now and when the address changes. */
export async function acceptLink(bench: Workbench): Promise<void> {
  const open = async () => {
    try {
      const linked = await readLink(location.hash.slice(1));
      if (linked !== undefined) bench.open([linked]);
    } catch (error) {
      bench.say(error instanceof Error ? error.message : String(error));
    }
  };
  addEventListener("hashchange", () => void open());
  await open();
}
