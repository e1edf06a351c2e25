import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "@playwright/test";

const SOURCES = new URL("../../src/", import.meta.url).pathname;

/** The files that each file imports, now or later. */
function imports(): Map<string, string[]> {
  const files = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter((name) => name.endsWith(".ts"));
  return new Map(files.map((name) => {
    const found = [...readFileSync(SOURCES + name, "utf8").matchAll(/(?:from|import\()\s*"(\.[^"]+\.ts)"/g)];
    return [name, found.map(([, path]) => join(dirname(name), path ?? ""))];
  }));
}

test("files import each other in one direction", () => {
  const all = imports();
  const done = new Set<string>();
  const circles: string[] = [];
  const visit = (file: string, path: readonly string[]) => {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(" → "));
    else if (!done.has(file)) {
      for (const next of all.get(file) ?? []) visit(next, [...path, file]);
      done.add(file);
    }
  };
  for (const file of all.keys()) visit(file, []);
  expect(all.size).toBeGreaterThan(50);
  expect(circles).toEqual([]);
});

test("the model and the rules of arrangements need no browser", () => {
  const pure = [...imports().keys()].filter((name) => name.startsWith("model/") || name === "layout/arrangement.ts");
  const used = pure.filter((name) => /\b(document|window)\.\w|HTMLElement/.test(readFileSync(SOURCES + name, "utf8")));
  expect(used).toEqual([]);
});
