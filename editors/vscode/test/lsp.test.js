// @ts-check
// Talks to `shisa lsp` through the connection that the authors of the protocol wrote, and checks each result against its types.
'use strict';

const assert = require('node:assert/strict');
const { spawn } = require('node:child_process');
const { once } = require('node:events');
const fs = require('node:fs');
const path = require('node:path');
const { after, afterEach, beforeEach, test } = require('node:test');
const { default: Ajv } = require('ajv');
const { createGenerator } = require('ts-json-schema-generator');
const lsp = require('vscode-languageserver-protocol/node');
const { command, root } = require('./client');

const types = path.join(path.dirname(require.resolve('vscode-languageserver-types')), 'main.d.ts');
const ajv = new Ajv({ strict: false, allErrors: true });
ajv.addSchema(createGenerator({ path: types, type: '*', expose: 'all', skipTypeCheck: true }).createSchema('*'), 'types');

/** The type of the result of each method; in brackets that of the elements of a list. */
const RESULTS = /** @type {Record<string, string>} */ ({
  'textDocument/hover': 'Hover',
  'textDocument/completion': 'CompletionList',
  'completionItem/resolve': 'CompletionItem',
  'textDocument/signatureHelp': 'SignatureHelp',
  'textDocument/definition': 'Location',
  'textDocument/references': '[Location]',
  'textDocument/documentHighlight': '[DocumentHighlight]',
  'textDocument/rename': 'WorkspaceEdit',
  'textDocument/documentSymbol': '[DocumentSymbol]',
  'textDocument/codeAction': '[CodeAction]',
  'textDocument/formatting': '[TextEdit]',
  'textDocument/rangeFormatting': '[TextEdit]',
  'textDocument/foldingRange': '[FoldingRange]',
  'textDocument/inlayHint': '[InlayHint]',
  'textDocument/semanticTokens/full': 'SemanticTokens',
  'textDocument/semanticTokens/range': 'SemanticTokens',
});

/** @type {Set<string>} the methods with a result that is not null. */
const answered = new Set();

/**
 * Fails if a value is not of a type of the protocol.
 * @param {string} type
 * @param {any} value
 */
function checked(type, value) {
  const list = type.startsWith('[');
  const validate = ajv.getSchema(`types#/definitions/${type.replace(/[[\]]/g, '')}`);
  assert.ok(validate, `the protocol has no ${type}`);
  for (const element of list ? value : [value]) {
    assert.ok(validate(element), `${type}: ${JSON.stringify(validate.errors)} ${JSON.stringify(element)}`);
  }
}

class Client {
  constructor() {
    const child = spawn(command, ['lsp'], { cwd: root });
    this.exit = once(child, 'exit');
    const reader = new lsp.StreamMessageReader(child.stdout);
    this.connection = lsp.createProtocolConnection(reader, new lsp.StreamMessageWriter(child.stdin));
    this.uri = '';
    this.text = '';
    /** @type {((value: any) => void)[]} */
    this.waiting = [];
    this.connection.onNotification('textDocument/publishDiagnostics', (params) => {
      checked('[Diagnostic]', params.diagnostics);
      this.waiting.splice(0).forEach((done) => done(params));
    });
    this.connection.listen();
  }

  /** @param {object} initializationOptions */
  async start(initializationOptions = {}) {
    const params = { processId: process.pid, rootUri: null, capabilities: {}, initializationOptions };
    const { capabilities } = await this.connection.sendRequest('initialize', params);
    this.connection.sendNotification('initialized', {});
    return capabilities;
  }

  /**
   * Opens an example and waits for its findings.
   * @param {string} file
   * @param {string} languageId
   * @param {string} [text]
   */
  async open(file, languageId, text = fs.readFileSync(path.join(root, 'examples', file), 'utf8')) {
    this.uri = `file:///${file}`;
    this.text = text;
    const found = this.findings();
    this.connection.sendNotification('textDocument/didOpen', { textDocument: { uri: this.uri, languageId, version: 1, text } });
    return (await found).diagnostics;
  }

  /** The next findings. */
  findings() {
    return new Promise((done) => this.waiting.push(done));
  }

  /**
   * The result of a request, which is of its type.
   * @param {string} method
   * @param {object} params
   */
  async ask(method, params = {}) {
    const sent = method === 'completionItem/resolve' ? params : { textDocument: { uri: this.uri }, ...params };
    const result = await this.connection.sendRequest(method, sent);
    if (result !== null) {
      checked(RESULTS[method], result);
      answered.add(method);
    }
    return result;
  }

  /**
   * The position of the first occurrence of a text, and a number of characters after it.
   * @param {string} text
   * @param {number} character
   */
  position(text, character = 0) {
    const before = this.text.slice(0, this.text.indexOf(text));
    assert.ok(this.text.includes(text), text);
    return { line: before.split('\n').length - 1, character: before.length - (before.lastIndexOf('\n') + 1) + character };
  }

  /** The whole text. */
  range() {
    const lines = this.text.split('\n');
    return { start: { line: 0, character: 0 }, end: { line: lines.length - 1, character: lines[lines.length - 1].length } };
  }

  async stop() {
    await this.connection.sendRequest('shutdown');
    this.connection.sendNotification('exit');
    const [code] = await this.exit;
    this.connection.dispose();
    assert.equal(code, 0);
  }
}

/** @type {Client} */
let client;

beforeEach(() => {
  client = new Client();
});

afterEach(() => client.stop());

after(() => {
  assert.deepEqual(Object.keys(RESULTS).filter((method) => !answered.has(method)), []);
});

test('the capabilities cover the methods that are tested', async () => {
  const capabilities = await client.start();
  assert.equal(capabilities.textDocumentSync.change, 2);
  assert.equal(capabilities.positionEncoding, 'utf-16');
  for (const name of ['hover', 'completion', 'signatureHelp', 'definition', 'references', 'documentHighlight', 'rename', 'documentSymbol',
    'codeAction', 'documentFormatting', 'documentRangeFormatting', 'foldingRange', 'inlayHint', 'semanticTokens']) {
    assert.ok(capabilities[`${name}Provider`], name);
  }
});

for (const [file, languageId, mnemonic, register] of [
  ['fog.frag.agal', 'agal', 'mul ft0', 'ft0.y'], ['flat.v.pica', 'pica200', 'dp4 ', 'r0'],
  ['saxpy.maxwell', 'maxwell', 'FFMA', 'R0'], ['collatz.agx', 'agx', 'imadd', 'r2'],
]) {
  test(`every feature in ${file}`, async () => {
    await client.start();
    assert.deepEqual((await client.open(file, languageId)).filter((/** @type {any} */ d) => d.severity === 1), []);
    const name = mnemonic.split(' ')[0];
    const hover = await client.ask('textDocument/hover', { position: client.position(mnemonic, 1) });
    assert.ok(hover.contents.value.includes(name), hover.contents.value);
    const operand = await client.ask('textDocument/hover', { position: client.position(register, 1) });
    assert.match(operand.contents.value, /Operand|written in lines/);
    const items = await client.ask('textDocument/completion', { position: client.position(mnemonic, 1) });
    const item = items.items.find((/** @type {any} */ found) => found.label === name);
    const resolved = await client.ask('completionItem/resolve', item);
    assert.ok(resolved.documentation.value.includes(name));
    const help = await client.ask('textDocument/signatureHelp', { position: client.position(mnemonic, name.length + 1) });
    assert.ok(help.signatures[0].label.startsWith(name), help.signatures[0].label);
    const range = client.range();
    const hints = await client.ask('textDocument/inlayHint', { range });
    assert.ok(hints.length > 3);
    assert.ok((await client.ask('textDocument/semanticTokens/full')).data.length > 50);
    assert.ok((await client.ask('textDocument/semanticTokens/range', { range })).data.length > 50);
    await client.ask('textDocument/documentSymbol');
    await client.ask('textDocument/foldingRange');
    const options = { tabSize: 4, insertSpaces: true };
    await client.ask('textDocument/formatting', { options });
    await client.ask('textDocument/rangeFormatting', { range, options });
  });
}

test('names are found and renamed', async () => {
  await client.start();
  await client.open('collatz.agx', 'agx');
  const position = client.position('jmp_any step', 9);
  const definition = await client.ask('textDocument/definition', { position });
  assert.deepEqual(definition.range.start, client.position('step:'));
  assert.equal((await client.ask('textDocument/references', { position, context: { includeDeclaration: true } })).length, 2);
  assert.equal((await client.ask('textDocument/documentHighlight', { position })).length, 2);
  const edit = await client.ask('textDocument/rename', { position, newName: 'again' });
  assert.equal(edit.changes[client.uri].length, 2);
  await assert.rejects(client.ask('textDocument/rename', { position, newName: 'no name' }), /cannot be the name/);
});

test('findings come while one types, with fixes', async () => {
  await client.start();
  const text = '// agal 1 fragment\nmov oc, v0\n';
  assert.deepEqual(await client.open('a.agal', 'agal', text), []);
  const found = client.findings();
  const range = { start: { line: 1, character: 0 }, end: { line: 1, character: 3 } };
  const textDocument = { uri: client.uri, version: 2 };
  client.connection.sendNotification('textDocument/didChange', { textDocument, contentChanges: [{ range, text: 'mvo' }] });
  const { diagnostics, version } = await found;
  assert.equal(version, 2);
  assert.deepEqual(diagnostics.map((/** @type {any} */ d) => d.code), ['asm-unknown-opcode']);
  const actions = await client.ask('textDocument/codeAction', { range, context: { diagnostics } });
  assert.equal(actions[0].edit.changes[client.uri][0].newText, 'mov');
});

test('hints are switched off', async () => {
  await client.start({ hints: { live: false, cost: false, bytes: false } });
  await client.open('fog.frag.agal', 'agal');
  assert.deepEqual(await client.ask('textDocument/inlayHint', { range: client.range() }), []);
});

test('errors have codes', async () => {
  await client.start();
  await client.open('fog.frag.agal', 'agal');
  const position = { line: 999, character: 0 };
  await assert.rejects(client.ask('textDocument/hover', { position }), { code: lsp.ErrorCodes.InvalidParams });
  await assert.rejects(client.connection.sendRequest('textDocument/frobnicate', {}), { code: lsp.ErrorCodes.MethodNotFound });
  await assert.rejects(client.connection.sendRequest('initialize', {}), { code: lsp.ErrorCodes.InvalidRequest });
});

for (const [name, bytes, text] of [
  ['without a length', 'Content-Type: x\r\n\r\n{}', /no Content-Length/],
  ['with a length that is no number', 'Content-Length: many\r\n\r\n{}', /not a number/],
  ['that is too large', 'Content-Length: 99999999999999\r\n\r\n', /the largest has/],
  ['that ends early', 'Content-Length: 20\r\n\r\n{}', /ends in a message/],
  ['with an endless header', 'x'.repeat(2000), /more than 1024 bytes/],
]) {
  test(`a message ${name} ends the conversation with an error`, async () => {
    await client.start();
    const child = spawn(command, ['lsp'], { cwd: root });
    let errors = '';
    child.stderr.on('data', (data) => { errors += data; });
    child.stdin.on('error', () => {});
    child.stdin.end(bytes);
    const [code] = await once(child, 'exit');
    assert.notEqual(code, 0);
    assert.match(errors, /** @type {RegExp} */ (text));
  });
}

test('a message that is no JSON has an error, and the conversation continues', async () => {
  await client.start();
  const child = spawn(command, ['lsp'], { cwd: root });
  const reader = new lsp.StreamMessageReader(child.stdout);
  const answers = /** @type {any[]} */ ([]);
  const two = new Promise((done) => {
    reader.listen((message) => {
      if (answers.push(message) === 2) done(undefined);
    });
  });
  const initialize = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} });
  child.stdin.write(`Content-Length: 3\r\n\r\n{"a`);
  child.stdin.write(`Content-Length: ${initialize.length}\r\n\r\n${initialize}`);
  await two;
  assert.equal(answers[0].error.code, lsp.ErrorCodes.ParseError);
  assert.ok(answers[1].result.capabilities);
  child.kill();
});
