// A layered drawing of a control flow graph: blocks in rows by their distance from the entry, edges from row to row.

/** A block: its size in pixels and the numbers of the blocks that follow it. */
export interface Box {
  readonly width: number;
  readonly height: number;
  readonly to: readonly number[];
}

export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The drawing: the upper left corner of each block, and the corners of each edge, in the order of `to`. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Point[];
  readonly edges: readonly (readonly { readonly points: readonly Point[]; readonly isBack: boolean }[])[];
}

/** Pixels between blocks of a row, between rows, and between parallel edges. */
const BESIDE = 36;
const BETWEEN = 56;
const TRACK = 12;

/** How often rows are ordered by the mean position of their neighbours. */
const SWEEPS = 8;

/** A block, or a point that an edge passes in a row between its blocks. */
interface Node {
  readonly width: number;
  readonly height: number;
  readonly row: number;
  /** The position in its row. */
  index: number;
  x: number;
  readonly above: Node[];
  readonly below: Node[];
}

/** Lays out the blocks; block 0 is the entry. */
export function layOut(boxes: readonly Box[]): Drawing {
  const back = backEdges(boxes);
  const rows = rowNumbers(boxes, back);
  const nodes: Node[] = boxes.map(({ width, height }, index) => ({ width, height, row: rows[index] ?? 0, index: 0, x: 0, above: [], below: [] }));
  const layers: Node[][] = [];
  for (const node of nodes) (layers[node.row] ??= []).push(node);
  const chains = boxes.map(({ to }, from) => to.map((target) => (back.has(key(from, target)) ? [] : chain(nodes, from, target, layers))));
  order(layers);
  setColumns(layers);
  return draw(boxes, nodes, layers, chains, back);
}

function key(from: number, to: number): string {
  return `${from} ${to}`;
}

/** The edges that close a loop: those to a block that is on the path of the search. */
function backEdges(boxes: readonly Box[]): Set<string> {
  const result = new Set<string>();
  const state = new Uint8Array(boxes.length);
  for (let root = 0; root < boxes.length; root++) {
    if (state[root] !== 0) continue;
    const path = [{ block: root, next: 0 }];
    state[root] = 1;
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const target = boxes[top.block]?.to[top.next++];
      if (target === undefined) {
        state[top.block] = 2;
        path.pop();
      } else if (state[target] === 1) result.add(key(top.block, target));
      else if (state[target] === 0) {
        state[target] = 1;
        path.push({ block: target, next: 0 });
      }
    }
  }
  return result;
}

/** The row of each block: one more than the largest row of the blocks before it. */
function rowNumbers(boxes: readonly Box[], back: ReadonlySet<string>): number[] {
  const before = boxes.map(() => 0);
  for (const [from, { to }] of boxes.entries()) {
    for (const target of to) if (!back.has(key(from, target))) before[target] = (before[target] ?? 0) + 1;
  }
  const rows = boxes.map(() => 0);
  const ready = boxes.map((_, index) => index).filter((index) => before[index] === 0);
  for (let block = ready.shift(); block !== undefined; block = ready.shift()) {
    for (const target of boxes[block]?.to ?? []) {
      if (back.has(key(block, target))) continue;
      rows[target] = Math.max(rows[target] ?? 0, (rows[block] ?? 0) + 1);
      before[target] = (before[target] ?? 0) - 1;
      if (before[target] === 0) ready.push(target);
    }
  }
  return rows;
}

/** The points of an edge in the rows between its blocks, which are nodes of their own. */
function chain(nodes: readonly Node[], from: number, to: number, layers: Node[][]): Node[] {
  const [start, end] = [nodes[from], nodes[to]];
  if (start === undefined || end === undefined) return [];
  const result: Node[] = [];
  let last = start;
  for (let row = start.row + 1; row < end.row; row++) {
    const node: Node = { width: TRACK, height: 0, row, index: 0, x: 0, above: [last], below: [] };
    last.below.push(node);
    (layers[row] ??= []).push(node);
    result.push(node);
    last = node;
  }
  last.below.push(end);
  end.above.push(last);
  return result;
}

function order(layers: Node[][]): void {
  for (const layer of layers) number(layer);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const isDown = sweep % 2 === 0;
    for (const layer of isDown ? layers : layers.toReversed()) {
      const means = new Map(layer.map((node) => {
        const near = isDown ? node.above : node.below;
        const mean = near.length === 0 ? node.index : near.reduce((sum, other) => sum + other.index, 0) / near.length;
        return [node, mean];
      }));
      layer.sort((a, b) => (means.get(a) ?? 0) - (means.get(b) ?? 0));
      number(layer);
    }
  }
}

function number(layer: readonly Node[]): void {
  for (const [index, node] of layer.entries()) node.index = index;
}

/** Sets the centres of nodes near those of their neighbours, without overlaps in a row. */
function setColumns(layers: readonly Node[][]): void {
  for (const layer of layers) spread(layer, () => 0);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    const isDown = sweep % 2 === 0;
    for (const layer of isDown ? layers : layers.toReversed()) {
      spread(layer, (node) => {
        const near = isDown ? node.above : node.below;
        return near.length === 0 ? node.x : near.reduce((sum, other) => sum + other.x, 0) / near.length;
      });
    }
  }
}

function spread(layer: readonly Node[], wanted: (node: Node) => number): void {
  const targets = layer.map(wanted);
  let edge = Number.NEGATIVE_INFINITY;
  const left = layer.map((node, index) => {
    const x = Math.max(targets[index] ?? 0, edge + node.width / 2);
    edge = x + node.width / 2 + BESIDE;
    return x;
  });
  edge = Number.POSITIVE_INFINITY;
  for (let index = layer.length - 1; index >= 0; index--) {
    const node = layer[index];
    if (node === undefined) continue;
    const right = Math.min(targets[index] ?? 0, edge - node.width / 2);
    edge = right - node.width / 2 - BESIDE;
    node.x = ((left[index] ?? 0) + right) / 2;
  }
  // The mean of two orders without overlaps has none either.
}

function draw(
  boxes: readonly Box[], nodes: readonly Node[], layers: readonly Node[][], chains: readonly (readonly (readonly Node[])[])[],
  back: ReadonlySet<string>,
): Drawing {
  const tops: number[] = [];
  let bottom = 0;
  for (const layer of layers) {
    tops.push(bottom);
    bottom += Math.max(...layer.map(({ height }) => height)) + BETWEEN;
  }
  const all = layers.flat();
  const least = Math.min(0, ...all.map(({ x, width }) => x - width / 2));
  const greatest = Math.max(0, ...all.map(({ x, width }) => x + width / 2));
  const top = (node: Node) => (tops[node.row] ?? 0) + TRACK * 2;
  const positions = nodes.map((node) => ({ x: node.x - node.width / 2 - least, y: top(node) }));
  let side = greatest - least;
  const edges = boxes.map(({ to }, from) => to.map((target, number) => {
    const [start, end] = [nodes[from], nodes[target]];
    if (start === undefined || end === undefined) return { points: [], isBack: false };
    const share = (number + 1) / (to.length + 1) - 0.5;
    const out = { x: start.x - least + share * Math.min(start.width, 80), y: top(start) + start.height };
    const into = { x: end.x - least, y: top(end) };
    if (!back.has(key(from, target))) {
      const middle = (chains[from]?.[number] ?? []).map((node) => ({ x: node.x - least, y: top(node) + BETWEEN / 4 }));
      return { points: [out, ...middle, into], isBack: false };
    }
    side += TRACK;
    const points = [out, { x: out.x, y: out.y + TRACK }, { x: side, y: out.y + TRACK }, { x: side, y: into.y - TRACK }, { x: into.x + TRACK, y: into.y - TRACK }, { x: into.x + TRACK, y: into.y }];
    return { points, isBack: true };
  }));
  return { width: side + TRACK, height: bottom + TRACK, boxes: positions, edges };
}
