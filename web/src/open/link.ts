import type { Isa, RunInput } from "shisa";

/** A program that a link carries. */
export interface Linked {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly isa?: Isa;
  /** The number of the chosen program, from 0. */
  readonly program: number;
  /** The input of a run. */
  readonly input?: RunInput;
}

/**
 * The fragment begins with the number of the format. Format 1: base64url of raw deflate of the length of the head as two
 * bytes, little endian, the head as JSON, the bytes of the file.
 */
const FORMAT = "1.";

/** The largest fragment, in characters, that all browsers take. */
export const LONGEST_LINK = 60_000;

/** The largest file, in bytes, that is read from a link. */
export const LARGEST_LINKED = 16 << 20;

/** The fragment of a link, without `#`. */
export async function writeLink(linked: Linked): Promise<string> {
  const { bytes, ...rest } = linked;
  const head = new TextEncoder().encode(JSON.stringify(rest));
  if (head.length > 0xffff) throw new Error(`the input of the run has ${head.length} bytes; a link has room for 65535`);
  const whole = new Uint8Array(2 + head.length + bytes.length);
  whole.set([head.length & 0xff, head.length >> 8]);
  whole.set(head, 2);
  whole.set(bytes, 2 + head.length);
  const packed = await through(whole, new CompressionStream("deflate-raw"), Number.POSITIVE_INFINITY);
  return FORMAT + base64url(packed);
}

/** The program in the fragment of a link; undefined if the fragment is none. Throws if it is damaged. */
export async function readLink(fragment: string): Promise<Linked | undefined> {
  if (fragment === "") return undefined;
  if (!fragment.startsWith(FORMAT)) {
    if (!/^\d+\./.test(fragment)) return undefined;
    throw new Error("the link was made by a newer version of this page");
  }
  const packed = fromBase64url(fragment.slice(FORMAT.length));
  const whole = await through(packed, new DecompressionStream("deflate-raw"), LARGEST_LINKED).catch((error: unknown) => {
    throw error instanceof RangeError ? error : new Error("the link is damaged or incomplete");
  });
  const length = (whole[0] ?? 0) | ((whole[1] ?? 0) << 8);
  if (whole.length < 2 + length) throw new Error("the link is incomplete");
  const head: unknown = JSON.parse(new TextDecoder().decode(whole.subarray(2, 2 + length)));
  if (!isHead(head)) throw new Error("the head of the link has no name or no number of a program");
  return { ...head, bytes: whole.slice(2 + length) };
}

function isHead(head: unknown): head is Omit<Linked, "bytes"> {
  if (typeof head !== "object" || head === null) return false;
  const { name, program } = head as Record<string, unknown>;
  return typeof name === "string" && Number.isSafeInteger(program);
}

async function through(
  bytes: Uint8Array,
  stream: CompressionStream | DecompressionStream,
  limit: number,
): Promise<Uint8Array> {
  const source = new Blob([bytes as Uint8Array<ArrayBuffer>]).stream().pipeThrough(stream);
  const reader = source.getReader();
  const parts: Uint8Array[] = [];
  let size = 0;
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    size += value.length;
    if (size > limit) throw new RangeError(`the file of the link has more than ${limit} bytes`);
    parts.push(value);
  }
  const whole = new Uint8Array(size);
  let end = 0;
  for (const part of parts) {
    whole.set(part, end);
    end += part.length;
  }
  return whole;
}

function base64url(bytes: Uint8Array): string {
  let binary = "";
  for (const byte of bytes) binary += String.fromCharCode(byte);
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

function fromBase64url(text: string): Uint8Array {
  let binary: string;
  try {
    binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  } catch {
    throw new Error("the link has characters that are not base64url");
  }
  return Uint8Array.from(binary, (character) => character.charCodeAt(0));
}
