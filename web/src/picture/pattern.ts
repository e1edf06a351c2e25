/** An image: red, green, blue and alpha of each pixel, row by row from the top. */
export interface Image {
  readonly width: number;
  readonly height: number;
  readonly rgba: Uint8Array;
}

const SIZE = 64;
const SQUARES = 8;

/** The image of textures that the user does not choose: red grows to the right, green downwards, blue alternates in squares. */
export function pattern(): Image {
  const rgba = new Uint8Array(SIZE * SIZE * 4);
  const byte = (at: number) => Math.floor((at * 255) / (SIZE - 1));
  const square = SIZE / SQUARES;
  for (let y = 0; y < SIZE; y++) {
    for (let x = 0; x < SIZE; x++) {
      const blue = (Math.floor(x / square) + Math.floor(y / square)) % 2 === 0 ? 192 : 64;
      rgba.set([byte(x), byte(y), blue, 255], (y * SIZE + x) * 4);
    }
  }
  return { width: SIZE, height: SIZE, rgba };
}

/** The image and all smaller levels: each pixel is the mean of four, as the library computes them. */
export function levels(image: Image): Image[] {
  const result = [image];
  for (let last = image; last.width > 1 || last.height > 1; result.push(last)) last = halved(last);
  return result;
}

function halved({ width, height, rgba }: Image): Image {
  const [w, h] = [Math.max(1, width >> 1), Math.max(1, height >> 1)];
  const small = new Uint8Array(w * h * 4);
  const at = (x: number, y: number, component: number) =>
    rgba[(Math.min(y, height - 1) * width + Math.min(x, width - 1)) * 4 + component] ?? 0;
  for (let y = 0; y < h; y++) {
    for (let x = 0; x < w; x++) {
      for (let n = 0; n < 4; n++) {
        const sum = at(2 * x, 2 * y, n) + at(2 * x + 1, 2 * y, n) + at(2 * x, 2 * y + 1, n) + at(2 * x + 1, 2 * y + 1, n);
        small[(y * w + x) * 4 + n] = Math.floor((sum + 2) / 4);
      }
    }
  }
  return { width: w, height: h, rgba: small };
}
