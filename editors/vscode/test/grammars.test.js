// @ts-check
// Tokenizes the examples with the grammars, as the editor does.
'use strict';

const assert = require('node:assert/strict');
const fs = require('node:fs');
const path = require('node:path');
const { test } = require('node:test');
const oniguruma = require('vscode-oniguruma');
const { Registry, parseRawGrammar } = require('vscode-textmate');
const manifest = require('../package.json');

const root = path.resolve(__dirname, '../../..');
const wasm = fs.readFileSync(require.resolve('vscode-oniguruma/release/onig.wasm'));
const onigLib = oniguruma.loadWASM(wasm).then(() => ({
  createOnigScanner: (/** @type {string[]} */ patterns) => new oniguruma.OnigScanner(patterns),
  createOnigString: (/** @type {string} */ text) => new oniguruma.OnigString(text),
}));

const registry = new Registry({
  onigLib,
  loadGrammar: async (scopeName) => {
    const found = manifest.contributes.grammars.find((grammar) => grammar.scopeName === scopeName);
    if (!found) return null;
    const file = path.join(__dirname, '..', found.path);
    return parseRawGrammar(fs.readFileSync(file, 'utf8'), file);
  },
});

/**
 * The tokens of a text: each with its line from 1, its text and its innermost scope.
 * @param {string} language
 * @param {string} text
 */
async function tokens(language, text) {
  const grammar = await registry.loadGrammar(`source.${language}`);
  assert.ok(grammar);
  /** @type {{ line: number, text: string, scope: string }[]} */
  const all = [];
  let stack = null;
  for (const [index, line] of text.split('\n').entries()) {
    const result = grammar.tokenizeLine(line, stack, 1000);
    assert.ok(!result.stoppedEarly, `line ${index + 1} takes too long`);
    stack = result.ruleStack;
    for (const { startIndex, endIndex, scopes } of result.tokens) {
      const scope = scopes[scopes.length - 1];
      if (scope !== `source.${language}`) all.push({ line: index + 1, text: line.slice(startIndex, endIndex), scope });
    }
  }
  return all;
}

/** Samples of each language, each token with its scope. */
const SAMPLES = /** @type {[string, string, [string, string][]][]} */ ([
  ['agal', 'tex ft1.xy, v0, fs0 <2d,linear> // x', [
    ['tex', 'keyword.mnemonic'], ['ft1', 'variable.language.register'], ['.xy', 'variable.other.component'],
    ['v0', 'variable.language.register'], ['fs0', 'variable.language.register'], ['2d', 'constant.language.sampler'],
    ['linear', 'constant.language.sampler'], ['// x', 'comment.line.double-slash'],
  ]],
  ['pica200', '.constf half(0.5, -1.0) ; x', [
    ['.constf', 'keyword.control.directive'], ['0.5', 'constant.numeric'], ['-1.0', 'constant.numeric'],
    ['; x', 'comment.line.semicolon'],
  ]],
  ['pica200', 'loop: mov r0.w, half.y', [
    ['loop', 'entity.name.label'], [':', 'punctuation.separator'], ['r0', 'variable.language.register'],
    ['.w', 'variable.other.component'], ['.y', 'variable.other.component'],
  ]],
  ['maxwell', '    @!P0 IADD.X R3, RZ, c[0x0][0x14c] ; {--:-:0:-:2}', [
    ['@!P0', 'keyword.operator.guard'], ['IADD.X', 'keyword.mnemonic'], ['R3', 'variable.language.register'],
    ['RZ', 'variable.language.register'], ['c', 'variable.other.bank'], ['0x0', 'constant.numeric'],
    ['0x14c', 'constant.numeric'], ['{--:-:0:-:2}', 'storage.modifier.control'],
  ]],
  ['agx', '.code "main"', [['.code', 'keyword.control.directive'], ['"main"', 'string.quoted.double']]],
  ['agx', 'iadd r2, u3h, 0x10 /* x */', [
    ['iadd', 'keyword.mnemonic'], ['r2', 'variable.language.register'], ['u3h', 'variable.language.register'],
    ['0x10', 'constant.numeric'], ['/* x */', 'comment.block'],
  ]],
]);

for (const [language, line, wanted] of SAMPLES) {
  test(`${language}: ${line.trim()}`, async () => {
    /** @type {Map<string, string>} */
    const found = new Map();
    for (const token of await tokens(language, line)) {
      if (token.scope.startsWith('comment')) found.set(token.scope, (found.get(token.scope) ?? '') + token.text);
      else found.set(token.text, token.scope);
    }
    for (const [text, scope] of wanted) {
      const own = scope.startsWith('comment') ? found.get(scope) : found.get(text);
      assert.equal(own, scope.startsWith('comment') ? text : scope, `${text} in ${JSON.stringify([...found])}`);
    }
  });
}

const folders = ['examples', 'tests/dis', 'tests/run', 'tests/asm', 'tests/check'];
const files = folders.flatMap((folder) => fs.readdirSync(path.join(root, folder)).map((name) => path.join(folder, name)));

for (const { id, extensions } of manifest.contributes.languages) {
  const own = files.filter((file) => extensions.includes(path.extname(file)));
  test(`${id}: ${own.length} files`, async () => {
    assert.ok(own.length >= 2);
    for (const file of own) {
      const text = fs.readFileSync(path.join(root, file), 'utf8');
      const found = await tokens(id, text);
      for (const [index, line] of text.split('\n').entries()) {
        const scopes = found.filter((token) => token.line === index + 1).map((token) => token.scope);
        const place = `${file}:${index + 1}: ${line}`;
        if ((id === 'pica200' ? /^\s*;/ : /^\s*\/\//).test(line)) assert.ok(scopes.every((scope) => scope.startsWith('comment')), place);
        if (/^\s*[A-Za-z_]\w*:/.test(line)) assert.ok(scopes.includes('entity.name.label'), place);
        if (/^\s*\.[a-z]+/.test(line)) assert.ok(scopes.includes('keyword.control.directive'), place);
        if (/\S/.test(line)) assert.ok(scopes.length > 0, place);
      }
    }
  });
}

test('the problem matcher finds diagnostics', () => {
  const [first, second] = manifest.contributes.problemMatchers[0].pattern.map((line) => new RegExp(line.regexp));
  const text = fs.readFileSync(path.join(root, 'tests/check/broken.agal.err'), 'utf8').split('\n');
  const found = text.flatMap((line, at) => {
    const [head, place] = [first.exec(line), second.exec(text[at + 1] ?? '')];
    return head && place ? [[head[1], head[2], place[1], Number(place[2])]] : [];
  });
  assert.ok(found.length >= 3);
  assert.deepEqual(found[0], ['error', 'agal-3739', 'tests/check/broken.agal', 4]);
});
