import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Plugin } from "vite";

/** Files of `public`, which the bundle does not list. */
const PUBLIC = ["icon.svg", "manifest.webmanifest"];

/** Whether a file is a part of the reference, which the page needs only when somebody looks something up. */
function isHelp(name: string): boolean {
  return name.startsWith("help/");
}

/** Writes the service worker: the text of `worker.js` with the lists of all files, and a version that their contents determine. */
export function offline(): Plugin {
  return {
    name: "offline",
    apply: "build",
    enforce: "post",
    generateBundle(_options, bundle) {
      const files = [...Object.keys(bundle), ...PUBLIC].filter((name) => !name.endsWith(".map")).sort();
      const hash = createHash("sha256");
      for (const name of files) {
        const file = bundle[name];
        hash.update(name);
        hash.update(file === undefined ? readFileSync(`public/${name}`) : file.type === "chunk" ? file.code : file.source);
      }
      const version = hash.digest("hex").slice(0, 16);
      const source = readFileSync(new URL("./worker.js", import.meta.url), "utf8")
        .replace("$VERSION", version)
        .replace("[/* $FILES */]", JSON.stringify(["./", ...files.filter((name) => name !== "index.html" && !isHelp(name))]))
        .replace("[/* $HELP */]", JSON.stringify(files.filter(isHelp)));
      this.emitFile({ type: "asset", fileName: "offline.js", source });
    },
  };
}
