// Objects of JavaScript that the module makes and reads.

/** What calls throw: an error with the diagnostics of the library. */
export class ShisaError extends Error {
  constructor(message, diagnostics) {
    super(message);
    this.name = "ShisaError";
    this.diagnostics = diagnostics;
  }
}

let receiver = (message) => console.error(message);

/** Sets the function that receives the message of a panic, after which the instance takes no more calls. */
export function onPanic(newReceiver) {
  receiver = newReceiver;
}

/** Passes on the message of a panic. */
export function reportPanic(message) {
  receiver(message);
}

/** The object with a further member. */
export function withMember(object, key, value) {
  object[key] = value;
  return object;
}

/** The bytes at an index of a list; undefined past its end. */
export function bytesAt(list, index) {
  return index < list.length ? new Uint8Array(list[index]) : undefined;
}

/** The bytes of a typed array. */
function bytesOf(array) {
  if (!ArrayBuffer.isView(array)) throw new TypeError("this is no typed array");
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength);
}

/** Code without a container, with members of the types that the module expects. */
export function bareCode({ isa, code, descriptors, stage, entry }) {
  return {
    isa,
    code: bytesOf(code),
    descriptors: new Uint32Array(descriptors ?? []),
    stage: stage === undefined || stage === null ? undefined : String(stage),
    entry: Number(entry ?? 0),
  };
}

/** The options without the images of textures. */
export function withoutTextures(options) {
  const { textures, ...rest } = options ?? {};
  return rest;
}

/** The images of textures, with the types that the module expects. */
export function textures(options) {
  return Object.entries(options?.textures ?? {}).map(([name, image]) => ({
    name,
    width: Number(image.width),
    height: Number(image.height),
    rgba: new Uint8Array(image.rgba),
  }));
}
