// The package that is tested, and the folder with the results that it must have.
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** The folder that `cargo xtask web` has written. */
export const built = resolve(process.env.SHISA_WEB ?? join(import.meta.dirname, "../../../../target/web"));

/** The package, as Node imports it. */
export const shisa = await import(pathToFileURL(join(built, "npm/node.js")));

/** The result of a call, or the error that it throws; any other error ends the test. */
export function outcome(call) {
  try {
    return { value: call() };
  } catch (error) {
    if (!(error instanceof shisa.ShisaError)) throw error;
    return { error };
  }
}
