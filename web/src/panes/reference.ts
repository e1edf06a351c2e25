import type { Explanation } from "shisa";
import { ISAS } from "../model/isas.ts";
import type { Workbench } from "../model/workbench.ts";
import { button, h } from "../ui/dom.ts";
import { later } from "../model/later.ts";
import { Help } from "./help.ts";
import type { Pane } from "./pane.ts";

/** The most words that the search lists. */
const MOST = 60;

/** Explains a word by the pages of the reference, or by what the library explains where the page has none; finds words; and shows chapters. */
export function referencePane(bench: Workbench): Pane {
  const { engine, store } = bench;
  const content = h("div", { class: "scroll padded reference", attributes: { "aria-live": "polite" } });
  const input = h("input", {
    type: "search", placeholder: "an opcode, register, modifier, error code or concept",
    attributes: { "aria-label": "Word", autocomplete: "off" },
    on: { input: later(80, () => void look()) },
  });
  const contents = button("Contents", () => {
    input.value = "";
    void look();
  });
  const element = h("div", { class: "pane" },
    h("div", { class: "tools" }, h("label", { class: "field wide" }, h("span", {}, "Word"), input), contents), content);
  let words: readonly string[] | undefined;
  let latest = 0;
  const help = new Help((path) => void follow(path));

  /** Shows the page to which a link leads. */
  async function follow(path: string): Promise<void> {
    const mine = ++latest;
    const found = await help.page(path);
    if (mine !== latest) return;
    if (found === undefined) bench.say("the link leads to a page that the reference does not have");
    else content.replaceChildren(found);
    content.scrollTop = 0;
  }

  async function look(): Promise<void> {
    const word = input.value.trim();
    const mine = ++latest;
    if (word === "") {
      await overview();
      return;
    }
    words ??= await engine.request(engine.edit, "words", undefined);
    const pages = await help.pages(word);
    const found = pages.length > 0 ? pages
      : (await engine.request(engine.edit, "explain", { word }, { topic: "reference" }).catch(() => [] as Explanation[])).map(article);
    if (mine !== latest) return;
    const lower = word.toLowerCase();
    const similar = words.filter((other) => other !== word && other.toLowerCase().includes(lower)).slice(0, MOST);
    content.replaceChildren(
      ...found,
      ...(found.length === 0 ? [h("p", { class: "muted" }, `The reference has no word “${word}”.`)] : []),
      ...(similar.length > 0 ? [h("h3", {}, "Similar words"), links(similar)] : []));
  }

  /** The chapters, and all words of each instruction set. */
  async function overview(): Promise<void> {
    const mine = latest;
    const chapters = (await help.chapters()).map(({ title, page, depth }) =>
      h("li", { class: `depth-${depth}` }, button(title, () => void follow(page), { class: "link" })));
    const lists = await Promise.all(ISAS.map(async ({ value, text }) => {
      const list = await engine.request(engine.edit, "words", value, { topic: `words of ${value}` });
      return h("details", {}, h("summary", {}, `${text}: ${list.length} words`), links(list));
    }));
    if (mine !== latest) return;
    content.replaceChildren(
      ...(chapters.length > 0 ? [h("h3", {}, "Chapters"), h("ul", { class: "chapters" }, ...chapters), h("h3", {}, "Words")] : []),
      ...lists);
  }

  function links(list: readonly string[]): HTMLElement {
    return h("p", { class: "words" }, ...list.map((other) => button(other, () => bench.explain(other), { class: "link" })));
  }

  store.on(["word"], ({ word }) => {
    input.value = word;
    void look();
  });
  input.value = store.state.word;
  void look();
  return { element, visible() {} };
}

function article({ word, kind, summary, sections }: Explanation): HTMLElement {
  return h("article", {},
    h("h2", {}, word, " ", h("small", {}, kind)),
    h("p", {}, summary),
    ...sections.flatMap(({ heading, lines }) => [h("h3", {}, heading), h("pre", { tabIndex: 0 }, lines.join("\n"))]));
}
