import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { Plugin } from "vite";
import { setOf } from "../src/model/help.ts";

/** What `cargo xtask reference` writes. */
const REFERENCE = new URL("../../target/reference/", import.meta.url).pathname;

/**
 * Adds the pages of the reference: for each instruction set and for the chapters of the book one file with all pages by their
 * paths, and their indexes.
 */
export function help(): Plugin {
  return {
    name: "help",
    apply: "build",
    generateBundle() {
      if (!existsSync(`${REFERENCE}help/reference.json`)) {
        this.warn("the page gets no pages of the reference: `cargo xtask reference` writes them");
        return;
      }
      const emit = (name: string, source: string) => this.emitFile({ type: "asset", fileName: `help/${name}`, source });
      for (const name of ["reference.json", "chapters.json"]) emit(name, readFileSync(`${REFERENCE}help/${name}`, "utf8"));
      emit("reference.css", readFileSync(`${REFERENCE}book/reference.css`, "utf8"));
      const sets = new Map<string, Record<string, string>>();
      for (const name of readdirSync(`${REFERENCE}help`, { recursive: true, encoding: "utf8" }).sort()) {
        if (!name.endsWith(".html")) continue;
        const page = name.replaceAll("\\", "/").slice(0, -".html".length);
        const set = setOf(page);
        const pages = sets.get(set) ?? {};
        pages[page] = readFileSync(join(REFERENCE, "help", name), "utf8");
        sets.set(set, pages);
      }
      for (const [set, pages] of sets) emit(`${set}.json`, JSON.stringify(pages));
    },
  };
}
