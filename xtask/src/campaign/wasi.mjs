// Runs a module of WebAssembly as a program: `node wasi.mjs MODULE ARGUMENT…`. It sees the repository's folder, and no other.
import { readFile } from "node:fs/promises";
import { argv, cwd, env, exit } from "node:process";
import { WASI } from "node:wasi";

const [, , module, ...rest] = argv;
const folder = cwd();
const wasi = new WASI({ version: "preview1", args: [module, ...rest], env, preopens: { [folder]: folder, ".": folder } });
const { instance } = await WebAssembly.instantiate(await readFile(module), wasi.getImportObject());
exit(wasi.start(instance));
