// Prints the sizes of the built page as servers send them, compressed with gzip, and fails if they exceed the limits.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const DIST = new URL("../dist/", import.meta.url).pathname;

/** Limits in bytes: of what the first useful paint needs, and of the page without the module. `cargo xtask web` has the module's. */
const FIRST = 300_000;
const PAGE = 250_000;

/** What everything is to have once the module is smaller; printed, not yet enforced. */
const GOAL = 1_500_000;

const files = readdirSync(DIST, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile())
  .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(DIST.length));
const sizes = new Map(files.map((name) => [name, gzipSync(readFileSync(DIST + name), { level: 9 }).length]));

/** The page, and what it loads before any of its code runs. */
function first() {
  const html = readFileSync(`${DIST}index.html`, "utf8");
  const found = new Set(["index.html", ...[...html.matchAll(/(?:src|href)="\.\/(assets\/[^"]+)"/g)].map(([, name]) => name)]);
  for (const name of found) {
    if (!name.endsWith(".js")) continue;
    const code = readFileSync(DIST + name, "utf8");
    for (const [, imported] of code.matchAll(/(?:^|[;}\s])import\s*(?:[^"';()]*?from\s*)?["']\.\/([^"']+)["']/g)) found.add(`assets/${imported}`);
  }
  return [...found];
}

function sum(names) {
  return names.reduce((total, name) => total + (sizes.get(name) ?? 0), 0);
}

const kilobytes = (bytes) => `${(bytes / 1000).toFixed(1).padStart(8)} kB`;
for (const [name, size] of [...sizes].sort(([, a], [, b]) => b - a).slice(0, 6)) console.log(`${kilobytes(size)}  ${name}`);
const modules = files.filter((name) => name.endsWith(".wasm"));
const help = files.filter((name) => name.startsWith("help/"));
const results = [
  ["first useful paint", sum(first()), FIRST],
  ["the page without the module", sum(files) - sum(modules) - sum(help), PAGE],
];
for (const [name, size, limit] of results) {
  console.log(`${kilobytes(size)}  ${name}, of at most ${limit / 1000} kB${size > limit ? ": too large" : ""}`);
}
console.log(`${kilobytes(sum(help))}  the reference, which is fetched when somebody looks something up`);
console.log(`${kilobytes(sum(files) - sum(help))}  everything else; the goal is ${GOAL / 1000} kB`);
if (results.some(([, size, limit]) => size > limit)) process.exit(1);
