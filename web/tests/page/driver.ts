import type { JSHandle, Page } from "@playwright/test";
import type { Identity, Isa, RunInput } from "shisa";
import type { FromWorker, ToWorker, Verb } from "../../src/engine/protocol.ts";

/** A file for the worker: its bytes as base64. */
export interface Sent {
  readonly name: string;
  readonly base64: string;
  /** The same as text, if it is text. */
  readonly text?: string;
  readonly isa?: Isa;
}

/** How the worker answered the requests about a file. */
export interface Answers {
  /** Requests with a result, and requests that were refused with diagnostics. */
  readonly results: number;
  readonly refusals: number;
  readonly hasProgram: boolean;
  /** Refusals without a diagnostic or for a defect of the library, crashes, and requests without an answer. */
  readonly faults: readonly string[];
  /** How often the worker had to be replaced. */
  readonly restarts: number;
  /** The request that took the longest, and its time in milliseconds. */
  readonly slowest: readonly [number, Verb];
}

/** The page's own worker, without the page. */
export interface Driver {
  answers(file: Sent): Promise<Answers>;
}

/** Starts a worker from the script and the module that the page has loaded. */
export async function startWorker(page: Page): Promise<JSHandle<Driver>> {
  return page.evaluateHandle(async (): Promise<Driver> => {
    /** The longest time of one request in milliseconds. */
    const MOST = 60_000;
    const loaded = performance.getEntriesByType("resource").map(({ name }) => name);
    const script = loaded.find((name) => /\/worker-[^/]*\.js$/.test(name)) ?? "";
    const module = await WebAssembly.compileStreaming(fetch(loaded.find((name) => name.endsWith(".wasm")) ?? ""));
    let worker: Worker;
    let id = 0;
    const post = (message: ToWorker) => worker.postMessage(message);
    const start = () => {
      worker = new Worker(script, { type: "module" });
      post({ kind: "module", module });
    };
    const request = (verb: Verb, argument: unknown) => new Promise<FromWorker>((resolve) => {
      const failed = (message: string) => resolve({ kind: "error", id, message, diagnostics: [], crashed: true });
      const timer = setTimeout(() => failed(`no answer in ${MOST} ms`), MOST);
      worker.onmessage = ({ data }) => {
        clearTimeout(timer);
        resolve(data);
      };
      worker.onerror = ({ message }) => failed(message);
      post({ kind: "request", id: ++id, verb, argument });
    });

    async function answers({ name, base64, text, isa }: Sent): Promise<Answers> {
      const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
      const key = ++id;
      const doc = isa === undefined ? { key, name } : { key, name, isa };
      const faults: string[] = [];
      let [results, refusals, restarts] = [0, 0, 0];
      let slowest: [number, Verb] = [0, "identify"];
      post({ kind: "doc", key, bytes });

      async function ask<Result>(verb: Verb, argument: unknown): Promise<Result | undefined> {
        const begun = performance.now();
        const answer = await request(verb, argument);
        const time = performance.now() - begun;
        if (time > slowest[0]) slowest = [time, verb];
        if (answer.kind === "result") {
          results++;
          return answer.result as Result;
        }
        refusals++;
        const isFault = answer.diagnostics.length === 0 || answer.diagnostics.some(({ code }) => code.startsWith("internal-"));
        if (isFault || answer.crashed) faults.push(`${verb}: ${answer.message}`);
        if (answer.crashed) {
          restarts++;
          worker.terminate();
          start();
          post({ kind: "doc", key, bytes });
        }
        return undefined;
      }

      if (text !== undefined) await ask("diagnose", { ...doc, text });
      const programs = (await ask<Identity>("identify", doc))?.programs.length ?? 0;
      if (programs > 0) {
        const ref = { ...doc, program: id % programs };
        for (const verb of ["listing", "live", "check", "graph", "ir", "report"] as const) await ask(verb, ref);
        for (const to of ["wgsl", "glsl", "hlsl", "msl", "spirv"]) await ask("translate", { ...ref, to, options: {} });
        await ask("preview", { ...ref, options: { width: 8, height: 8, maps: true } });
        const input = (await ask<RunInput>("inputs", ref)) ?? { version: 1 };
        await ask("run", { ...ref, input, options: { trace: 8 } });
        if ((await ask("debug", { ...ref, input })) !== undefined) {
          for (const line of ["step 5", "where", "back", "registers"]) await ask("command", line);
        }
        const code = await ask<Uint8Array>("extract", ref);
        if (code !== undefined) await ask("replace", { ...ref, code });
      }
      post({ kind: "close", key });
      return { results, refusals, hasProgram: programs > 0, faults, restarts, slowest };
    }
    start();
    return { answers };
  });
}
