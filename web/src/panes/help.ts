import { type Chapter, type HelpPage, linked, pagesOf, setOf } from "../model/help.ts";
import { h } from "../ui/dom.ts";

/** The pages of the reference and the chapters of the book, which the build puts beside the page. They are fetched when they are first needed. */
export class Help {
  readonly #show: (page: string) => void;
  #index: Promise<readonly HelpPage[]> | undefined;
  #chapters: Promise<readonly Chapter[]> | undefined;
  readonly #sets = new Map<string, Promise<Readonly<Record<string, string>>>>();

  /** `show` receives the path of the page to which a link leads. */
  constructor(show: (page: string) => void) {
    this.#show = show;
  }

  /** The pages that explain a word; none without a reference beside the page. */
  async pages(word: string): Promise<HTMLElement[]> {
    this.#index ??= fetchJson<{ words: HelpPage[] }>("reference.json").then(
      ({ words }) => {
        document.head.append(h("link", { rel: "stylesheet", href: "./help/reference.css" }));
        return words;
      },
      () => [],
    );
    const pages = await Promise.all(pagesOf(await this.#index, word).map(({ page }) => this.page(page)));
    return pages.filter((page) => page !== undefined);
  }

  /** The chapters of the book; none without a reference beside the page. */
  chapters(): Promise<readonly Chapter[]> {
    this.#chapters ??= fetchJson<readonly Chapter[]>("chapters.json").catch(() => []);
    return this.#chapters;
  }

  /** A page by its path; undefined if there is none. */
  async page(page: string): Promise<HTMLElement | undefined> {
    const set = setOf(page);
    const pages = this.#sets.get(set) ?? fetchJson<Readonly<Record<string, string>>>(`${set}.json`).catch((): Readonly<Record<string, string>> => ({}));
    this.#sets.set(set, pages);
    const text = (await pages)[page];
    if (text === undefined) return undefined;
    const element = h("article", { class: "help" });
    // The build wrote the text. The page has headings of the first level of its own.
    element.innerHTML = text.replaceAll(/(<\/?h)([1-5])\b/g, (_whole, tag: string, level: string) => tag + (Number(level) + 1));
    element.addEventListener("click", (event) => {
      const href = (event.target as HTMLElement).closest("a")?.getAttribute("href");
      // A link with only a fragment has a program, which the page opens.
      if (href === undefined || href === null || href.startsWith("#") || /^[a-z]+:/.test(href)) return;
      event.preventDefault();
      this.#show(linked(page, href));
    });
    return element;
  }
}

async function fetchJson<Value>(name: string): Promise<Value> {
  const response = await fetch(`./help/${name}`);
  if (!response.ok) throw new Error(`help/${name}: HTTP status ${response.status}`);
  return (await response.json()) as Value;
}
