// @ts-check
// A client of the built command, which notes every message of the adapter.
'use strict';

const { DebugClient } = require('@vscode/debugadapter-testsupport');
const fs = require('node:fs');
const os = require('node:os');
const path = require('node:path');

const root = path.resolve(__dirname, '../../..');
const suffix = process.platform === 'win32' ? '.exe' : '';
const command = process.env.SHISA ?? path.join(root, `target/debug/shisa${suffix}`);

/** @type {any[]} */
const messages = [];

class Client extends DebugClient {
  constructor() {
    super(command, 'dap', 'shisa', { cwd: root }, true);
    this.defaultTimeout = 20000;
    // The client of the protocol's authors calls this for each message.
    const dispatch = Reflect.get(this, 'dispatch').bind(this);
    Reflect.set(this, 'dispatch', (/** @type {string} */ body) => {
      messages.push(JSON.parse(body));
      dispatch(body);
    });
  }

  /**
   * Launches a program and stops before its first instruction.
   * @param {object} launch
   */
  async entered(launch) {
    await Promise.all([
      this.configurationSequence(),
      this.launch({ ...launch, stopOnEntry: true }),
      this.waitForEvent('stopped'),
    ]);
  }

  /**
   * Sends a request that moves, and waits for the stop.
   * @param {string} request
   * @param {object} args
   * @returns {Promise<any>} the body of the stop
   */
  async moved(request, args = { threadId: 1 }) {
    const stopped = this.waitForEvent('stopped');
    await this.customRequest(request, args);
    return (await stopped).body;
  }

  /**
   * The innermost frame of a thread.
   * @param {number} threadId
   */
  async top(threadId = 1) {
    return (await this.stackTraceRequest({ threadId })).body.stackFrames[0];
  }

  /**
   * The value of an expression.
   * @param {string} expression
   * @param {string} context
   * @param {number} threadId
   */
  async value(expression, context = 'watch', threadId = 1) {
    const frameId = (await this.top(threadId)).id;
    return (await this.evaluateRequest({ expression, context, frameId })).body.result;
  }
}

/**
 * The launch arguments of an example.
 * @param {string} program
 * @param {string} input
 */
function example(program, input) {
  return { program: path.join(root, 'examples', program), input: path.join(root, 'examples', input) };
}

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'shisa-dap-'));
process.on('exit', () => fs.rmSync(folder, { recursive: true, force: true }));

/**
 * A file with a content.
 * @param {string} name
 * @param {string} content
 */
function written(name, content) {
  const file = path.join(folder, name);
  fs.writeFileSync(file, content);
  return file;
}

module.exports = { Client, command, example, folder, messages, root, written };
