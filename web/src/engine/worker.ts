// The worker: it has the module and answers one request after the other.
import init from "shisa";
import type { Diagnostic } from "shisa";
import { Documents } from "./documents.ts";
import type { FromWorker, ToWorker, Verb } from "./protocol.ts";
import { transfers, verbs } from "./verbs.ts";

const documents = new Documents();
/** Requests may come before the module. */
let started: () => void;
const ready = new Promise<void>((resolve) => (started = resolve));

function answer(message: FromWorker, transfer: Transferable[] = []): void {
  (self as unknown as Worker).postMessage(message, transfer);
}

self.onmessage = async ({ data }: MessageEvent<ToWorker>) => {
  switch (data.kind) {
    case "module":
      await init({ module_or_path: data.module });
      started();
      break;
    case "doc":
      documents.put(data.key, data.bytes, data.control);
      break;
    case "close":
      documents.close(data.key);
      break;
    case "request":
      await ready;
      perform(data.id, data.verb, data.argument);
      break;
  }
};

function perform(id: number, verb: Verb, argument: unknown): void {
  try {
    const result = (verbs[verb] as (argument: unknown, documents: Documents) => unknown)(argument, documents);
    answer({ kind: "result", id, result }, transfers(result));
  } catch (error) {
    const diagnostics = diagnosticsOf(error);
    answer({
      kind: "error",
      id,
      message: error instanceof Error ? error.message : String(error),
      diagnostics,
      // The library reports faults of its input as diagnostics. Anything else ended a call in its middle.
      crashed: error instanceof WebAssembly.RuntimeError || error instanceof RangeError ||
        diagnostics.some(({ code }) => code === "internal-panic"),
    });
  }
}

function diagnosticsOf(error: unknown): readonly Diagnostic[] {
  const list = (error as { diagnostics?: unknown } | null)?.diagnostics;
  return Array.isArray(list) ? (list as Diagnostic[]) : [];
}
