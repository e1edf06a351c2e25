import { HighlightStyle, StreamLanguage, type StreamParser, syntaxHighlighting } from "@codemirror/language";
import { tags } from "@lezer/highlight";

interface Line {
  /** Whether the mnemonic of the line has been read. */
  hasMnemonic: boolean;
}

/** Tokens that the texts of all four instruction sets share. */
const assembly: StreamParser<Line> = {
  name: "assembly",
  startState: () => ({ hasMnemonic: false }),
  token(stream, state) {
    if (stream.sol()) state.hasMnemonic = false;
    if (stream.eatSpace()) return null;
    if (stream.match(/^(\/\/|#).*/)) return "comment";
    if (stream.match(/^;(.*)/)) return "comment";
    if (stream.match(/^\{[^}]*\}/)) return "annotation";
    if (stream.match(/^@!?\w+/)) return "operator";
    if (!state.hasMnemonic && stream.match(/^\.[\w.[\]]+/)) {
      state.hasMnemonic = true;
      return "meta";
    }
    if (!state.hasMnemonic && stream.match(/^[\w$]+:/)) return "labelName";
    if (stream.match(/^"[^"]*"?/)) return "string";
    if (!state.hasMnemonic && stream.match(/^[A-Za-z_]\w*/)) {
      state.hasMnemonic = true;
      return "keyword";
    }
    if (stream.match(/^\.[A-Za-z]\w*/)) return "modifier";
    if (stream.match(/^-?(0x[\da-fA-F]+|\d+(\.\d+)?([eE][-+]?\d+)?)\b/)) return "number";
    if (stream.match(/^L_[\da-f]+/)) return "labelName";
    if (stream.match(/^[A-Za-z_]\w*/)) return "variableName";
    stream.next();
    return null;
  },
};

const C_WORDS = new Set(
  ("struct fn let var const return if else loop switch case default break continue for while void float int uint bool " +
    "vec2 vec3 vec4 f32 u32 i32 float2 float3 float4 uint4 int4 in out inout uniform layout constant device kernel " +
    "fragment vertex using namespace static cbuffer texture2d sampler discard highp precision metal func block").split(" "),
);

/** Tokens of shading languages and of the intermediate representation. */
const shading: StreamParser<null> = {
  name: "shading",
  startState: () => null,
  token(stream) {
    if (stream.eatSpace()) return null;
    if (stream.match(/^(\/\/|; ).*/)) return "comment";
    if (stream.match(/^#\w+.*/)) return "meta";
    if (stream.match(/^@\w+/)) return "annotation";
    if (stream.match(/^%\w+/)) return "variableName";
    if (stream.match(/^"[^"]*"?/)) return "string";
    if (stream.match(/^(0x[\da-fA-F]+|\d+\.?\d*([eE][-+]?\d+)?)[uifh]?/)) return "number";
    const word = stream.match(/^[A-Za-z_]\w*/);
    if (word) {
      const text = stream.current();
      return C_WORDS.has(text) || text.startsWith("Op") ? "keyword" : "variableName";
    }
    stream.next();
    return null;
  },
};

/** The language of a listing. */
export const assemblyLanguage = StreamLanguage.define(assembly);

/** The language of translations. */
export const shadingLanguage = StreamLanguage.define(shading);

/** The colours of tokens; variables of the theme. */
export const colours = syntaxHighlighting(
  HighlightStyle.define([
    { tag: tags.keyword, color: "var(--token-keyword)" },
    { tag: tags.variableName, color: "var(--token-register)" },
    { tag: tags.number, color: "var(--token-number)" },
    { tag: tags.string, color: "var(--token-string)" },
    { tag: tags.comment, color: "var(--token-comment)" },
    { tag: tags.annotation, color: "var(--token-comment)" },
    { tag: tags.meta, color: "var(--token-meta)" },
    { tag: tags.labelName, color: "var(--token-label)" },
    { tag: tags.modifier, color: "var(--token-modifier)" },
    { tag: tags.operator, color: "var(--token-modifier)" },
  ]),
);
