/** A generator of numbers from a seed, so that a failure can be repeated. */
export function numbers(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return Math.floor((state / 0x1_0000_0000) * below);
  };
}

/** A copy of bytes with a few changes: other bytes, a cut, a repetition, or a part of it removed. */
export function mutated(bytes: Uint8Array, random: (below: number) => number): Uint8Array {
  let copy = Uint8Array.from(bytes);
  for (let change = 1 + random(4); change > 0 && copy.length > 1; change--) {
    const at = random(copy.length);
    const length = 1 + random(Math.min(64, copy.length - at));
    switch (random(5)) {
      case 0:
        copy[at] = random(256);
        break;
      case 1:
        copy[at] = (copy[at] ?? 0) ^ (1 << random(8));
        break;
      case 2:
        copy = copy.slice(0, at + 1);
        break;
      case 3:
        copy = Uint8Array.from([...copy.subarray(0, at), ...copy.subarray(at, at + length), ...copy.subarray(at)]);
        break;
      default:
        copy = Uint8Array.from([...copy.subarray(0, at), ...copy.subarray(at + length)]);
    }
  }
  return copy;
}
