// Fingerprints of results: those of `xtask/src/web/fingerprint.rs`.

const encoder = new TextEncoder();
const number = new DataView(new ArrayBuffer(8));

/** The length and the FNV-1a hash of a result: JSON, or bytes. */
export function fingerprint(value) {
  const all = { length: 0, hash: 0x811c9dc5 };
  add(all, value);
  return `${all.length}:${(all.hash >>> 0).toString(16).padStart(8, "0")}`;
}

function add(all, value) {
  if (value === null) bytes(all, encoder.encode("n"));
  else if (typeof value === "boolean") bytes(all, encoder.encode(value ? "t" : "f"));
  else if (typeof value === "number") {
    number.setFloat64(0, value);
    bytes(all, encoder.encode(`#${number.getBigUint64(0).toString(16).padStart(16, "0")}`));
  } else if (typeof value === "string") counted(all, "s", encoder.encode(value));
  else if (value instanceof Uint8Array) counted(all, "b", value);
  else if (Array.isArray(value)) {
    bytes(all, encoder.encode("["));
    for (const one of value) add(all, one);
    bytes(all, encoder.encode("]"));
  } else {
    bytes(all, encoder.encode("{"));
    for (const key of Object.keys(value).sort()) {
      counted(all, "s", encoder.encode(key));
      add(all, value[key]);
    }
    bytes(all, encoder.encode("}"));
  }
}

function counted(all, kind, list) {
  bytes(all, encoder.encode(`${kind}${list.length}:`));
  bytes(all, list);
}

function bytes(all, list) {
  let { hash } = all;
  for (const byte of list) hash = Math.imul(hash ^ byte, 0x01000193);
  all.hash = hash;
  all.length += list.length;
}
