// Node: the module is loaded as this file is imported.
import { readFileSync } from "node:fs";
import { initSync } from "./shisa.js";

initSync({ module: readFileSync(new URL("./shisa_bg.wasm", import.meta.url)) });

export * from "./shisa.js";
export { __wbg_reset_state as reset } from "./shisa.js";
export { ShisaError, onPanic } from "./glue.js";

/** There is nothing left to load. */
export default async function init() {}
