import type { Diagnostic } from "./shisa.js";

export * from "./shisa.js";
export { default } from "./shisa.js";

/** What calls throw: an error with the diagnostics of the library. */
export class ShisaError extends Error {
  constructor(message: string, diagnostics: Diagnostic[]);
  /** At least one. */
  readonly diagnostics: Diagnostic[];
}

/** Sets the function that receives the message of a panic, after which the instance takes no more calls. */
export function onPanic(receiver: (message: string) => void): void;

/** Replaces an instance that takes no more calls by a new one. Objects of the old instance are of no use any more. */
export function reset(): void;
