/** A page of the reference: an entry of `help/reference.json`. */
export interface HelpPage {
  /** The words that it explains. */
  readonly names: readonly string[];
  readonly isa?: string;
  /** Its path in the book, without the extension. */
  readonly page: string;
}

/** A chapter of the book: an entry of `help/chapters.json`. */
export interface Chapter {
  readonly title: string;
  /** Its path in the book, without the extension. */
  readonly page: string;
  /** The number of chapters that contain it. */
  readonly depth: number;
}

/** The pages that explain a word: those with its spelling, else those with another case. */
export function pagesOf(index: readonly HelpPage[], word: string): HelpPage[] {
  const exact = index.filter(({ names }) => names.includes(word));
  if (exact.length > 0) return exact;
  const lower = word.toLowerCase();
  return index.filter(({ names }) => names.some((name) => name.toLowerCase() === lower));
}

/** The file below `help/` that has a page: `reference/maxwell/…` is in `maxwell`, and a chapter is in `book`. */
export function setOf(page: string): string {
  const [folder, set, ...rest] = page.split("/");
  if (folder === page) return "book";
  return set === undefined || rest.length === 0 ? "all" : set;
}

/** The path of the page to which a link of another page leads. */
export function linked(page: string, href: string): string {
  return new URL(href, `http://book/${page}.html`).pathname.slice(1).replace(/\.html$/, "");
}
