import type { Cfg } from "shisa";
import type { Block, Graph } from "./protocol.ts";

/** The most instructions of a block that are drawn, and the most characters of a line. */
const LINES = 12;
const CHARACTERS = 44;

/** The part of a control flow graph that is drawn; a program of 2 MB has a quarter of a million instructions. */
export function drawn({ complete, blocks }: Cfg): Graph {
  return {
    complete,
    blocks: blocks.map(({ instructions, edges }): Block => ({
      lines: lines(instructions),
      offsets: Uint32Array.from(instructions, ({ offset }) => offset),
      edges,
    })),
  };
}

type Instructions = Cfg["blocks"][number]["instructions"];

function lines(instructions: Instructions): Block["lines"] {
  if (instructions.length <= LINES) return instructions.map(short);
  const hidden = instructions.length - LINES + 1;
  return [...instructions.slice(0, LINES - 2).map(short), { text: `… ${hidden} more`, offset: -1 }, ...instructions.slice(-1).map(short)];
}

function short({ text, offset }: Instructions[number]): { text: string; offset: number } {
  const line = text.replaceAll(/\s+/g, " ");
  return { offset, text: line.length > CHARACTERS ? `${line.slice(0, CHARACTERS - 1)}…` : line };
}
