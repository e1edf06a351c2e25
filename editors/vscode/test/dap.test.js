// @ts-check
// Debugs examples through the client that the authors of the protocol wrote, and checks each message against the protocol.
'use strict';

const assert = require('node:assert/strict');
const { execFileSync, spawn, spawnSync } = require('node:child_process');
const { once } = require('node:events');
const path = require('node:path');
const { createInterface } = require('node:readline');
const { after, afterEach, beforeEach, test } = require('node:test');
const { Client, command, example, folder, messages, root, written } = require('./client');
const { faults } = require('./schema');

const fog = example('fog.frag.agal', 'fog.json');
const collatz = example('collatz.agx', 'collatz.json');
const saxpy = example('saxpy.maxwell', 'saxpy.json');
const flat = example('flat.v.pica', 'flat.json');

/** @type {Client} */
let client;

beforeEach(async () => {
  client = new Client();
  await client.start();
});

afterEach(() => client.stop());

after(() => {
  assert.ok(messages.length > 200, `${messages.length} messages`);
  assert.deepEqual([...new Set(messages.flatMap(faults))], []);
});

for (const [launch, line, instruction] of /** @type {[any, number, string][]} */ ([
  [fog, 10, 'sub ft0.y'], [collatz, 12, 'iadd'], [saxpy, 17, 'FFMA'], [flat, 16, 'dp4'],
])) {
  test(`a breakpoint in ${path.basename(launch.program)}`, async () => {
    await client.hitBreakpoint(launch, { path: launch.program, line });
    assert.ok((await client.top()).name.startsWith(instruction));
  });
}

test('the check of messages finds faults', () => {
  const event = { seq: 1, type: 'event', event: 'stopped' };
  assert.deepEqual(faults({ ...event, body: { reason: 'step' } }), []);
  for (const wrong of [event, { ...event, body: { reason: 3 } }, { ...event, body: { reason: 'step', txt: '' } }, { ...event, event: 'halted' }]) {
    assert.notDeepEqual(faults(wrong), []);
  }
});

test('breakpoints between instructions move to the next one', async () => {
  await client.entered(fog);
  const source = { path: fog.program };
  const breakpoints = [{ line: 2 }, { line: 99 }, { line: 0 }];
  const { body } = await client.setBreakpointsRequest({ source, breakpoints });
  assert.deepEqual(body.breakpoints.map((point) => [point.verified, point.line]), [[true, 6], [false, undefined], [false, undefined]]);
  const other = await client.setBreakpointsRequest({ source: { path: '/other.agal' }, breakpoints: [{ line: 6 }] });
  assert.match(other.body.breakpoints[0].message ?? '', /fog.frag.agal/);
  const { body: { breakpoints: lines } } = await client.customRequest('breakpointLocations', { source, line: 1, endLine: 8 });
  assert.deepEqual(lines.map((/** @type {any} */ found) => found.line), [6, 7, 8]);
});

test('the first breakpoint may be the first instruction', async () => {
  await client.hitBreakpoint(fog, { path: fog.program, line: 6 });
});

test('a run without breakpoints stops at its end, and goes back', async () => {
  const stopped = client.waitForEvent('stopped');
  await Promise.all([client.configurationSequence(), client.launch(fog)]);
  assert.equal((await stopped).body.description, 'the end of the run');
  const start = await client.moved('reverseContinue');
  assert.equal(start.description, 'the start of the run');
  assert.equal((await client.top()).line, 6);
});

test('steps in both directions', async () => {
  await client.entered(fog);
  /** @type {number[]} */
  const lines = [];
  for (const move of ['next', 'stepIn', 'stepBack', 'stepBack']) {
    assert.equal((await client.moved(move, { threadId: 2, granularity: 'instruction' })).reason, 'step');
    lines.push((await client.top(2)).line);
  }
  assert.deepEqual(lines, [7, 8, 7, 6]);
});

test('a step out of nothing is reported, and the position stays', async () => {
  await client.entered(fog);
  const output = client.waitForEvent('output');
  assert.equal((await client.moved('stepOut')).reason, 'pause');
  assert.match((await output).body.output, /no call and no loop is open/);
  assert.equal((await client.top()).line, 6);
});

test('conditions, log points and labels', async () => {
  await client.entered(collatz);
  const source = { path: collatz.program };
  const logMessage = 'n is {r2}, step {r3}!';
  await client.setBreakpointsRequest({ source, breakpoints: [{ line: 12, condition: 'lane == 2', logMessage }, { line: 22, condition: 'r3 > 2' }, { line: 12, condition: 'q9' }, { line: 12, logMessage: '{' }] })
    .then(({ body }) => assert.deepEqual(body.breakpoints.map((point) => point.verified), [true, true, false, false]));
  const output = client.assertOutput('console', 'step 6, lane 2: n is 0x00000003, step 0x00000000!\n');
  assert.equal((await client.moved('continue')).reason, 'breakpoint');
  await output;
  const { body } = await client.setFunctionBreakpointsRequest({ breakpoints: [{ name: 'step' }, { name: 'nowhere' }] });
  assert.deepEqual(body.breakpoints.map((point) => [point.verified, point.line]), [[true, 10], [false, undefined]]);
  assert.equal((await client.moved('reverseContinue')).reason, 'function breakpoint');
  assert.equal((await client.top()).line, 10);
});

test('hit conditions', async () => {
  await client.entered(collatz);
  const source = { path: collatz.program };
  const logged = { line: 12, condition: 'lane == 2', hitCondition: '% 2', logMessage: 'step {r3}!' };
  const { body } = await client.setBreakpointsRequest({ source, breakpoints: [logged, { line: 12, hitCondition: '3' }, { line: 12, hitCondition: 'x' }] });
  assert.deepEqual(body.breakpoints.map((point) => point.verified), [true, true, false]);
  assert.match(body.breakpoints[2].message ?? '', /"x" is not a hit condition/);
  const output = client.assertOutput('console', 'step 16, lane 2: step 0x00000001!\n');
  assert.equal((await client.moved('continue')).reason, 'breakpoint');
  await output;
  // The run has one third hit, in both directions.
  assert.equal((await client.moved('continue')).reason, 'step');
  assert.equal((await client.moved('reverseContinue')).reason, 'breakpoint');
  assert.equal((await client.moved('reverseContinue')).reason, 'step');
});

test('data breakpoints in both directions', async () => {
  await client.entered(saxpy);
  const info = async (/** @type {string} */ name) => (await client.dataBreakpointInfoRequest({ name })).body;
  assert.deepEqual((await info('global[0x100001000]')).accessTypes, ['read', 'write', 'readWrite']);
  assert.equal((await info('R0 + 1')).dataId, null);
  const dataId = (await info('R4')).dataId ?? '';
  await client.setDataBreakpointsRequest({ breakpoints: [{ dataId, accessType: 'write' }] });
  const stop = await client.moved('continue');
  assert.equal(stop.reason, 'data breakpoint');
  assert.equal(stop.hitBreakpointIds.length, 1);
  await client.moved('continue');
  const line = (await client.top()).line;
  await client.moved('reverseContinue');
  assert.ok((await client.top()).line < line);
});

test('events are exceptions', async () => {
  await client.entered(saxpy);
  await assert.rejects(client.exceptionInfoRequest({ threadId: 1 }), /not at an event/);
  await client.setExceptionBreakpointsRequest({ filters: [], filterOptions: [{ filterId: 'divergence' }] });
  const stop = await client.moved('continue');
  assert.equal(stop.reason, 'exception');
  const { body } = await client.exceptionInfoRequest({ threadId: stop.threadId });
  assert.deepEqual([body.exceptionId, body.breakMode], ['divergence', 'always']);
});

test('a NaN is an exception', async () => {
  const program = written('nan.frag.agal', '// agal 1 fragment\nsub ft0, v0, v0\nrcp ft0.x, ft0.x\nmov oc, ft0\n');
  const input = written('nan.json', JSON.stringify({ version: 1, lanes: 1, varyings: { v0: ['3f800000 3f800000 3f800000 3f800000'] } }));
  const launched = client.waitForEvent('initialized').then(async () => {
    await client.setExceptionBreakpointsRequest({ filters: ['nan'] });
    await client.configurationDoneRequest();
  });
  const stopped = client.waitForEvent('stopped');
  await Promise.all([launched, client.launch({ program, input })]);
  assert.equal((await stopped).body.reason, 'exception');
  const { body } = await client.exceptionInfoRequest({ threadId: 1 });
  assert.deepEqual([body.exceptionId, body.description], ['nan', 'in ft0.x']);
});

test('threads, scopes and pages of variables', async () => {
  await client.entered(saxpy);
  const { body: { threads } } = await client.threadsRequest();
  assert.equal(threads.length, 32);
  await assert.rejects(client.stackTraceRequest({ threadId: 999 }), /not a lane of the wave/);
  const frame = await client.top(3);
  const paged = await client.stackTraceRequest({ threadId: 3, startFrame: 1, levels: 5 });
  assert.deepEqual([paged.body.stackFrames, paged.body.totalFrames], [[], 1]);
  const { body: { scopes } } = await client.scopesRequest({ frameId: frame.id });
  assert.deepEqual(scopes.map((scope) => scope.name), ['Registers', 'Inputs', 'Uniforms', 'Outputs', 'Stacks']);
  const { variablesReference, namedVariables } = scopes[0];
  const all = (await client.variablesRequest({ variablesReference })).body.variables;
  assert.equal(all.length, namedVariables);
  const page = (await client.variablesRequest({ variablesReference, filter: 'named', start: 1, count: 2 })).body.variables;
  assert.deepEqual(page, all.slice(1, 3));
  assert.deepEqual((await client.variablesRequest({ variablesReference, filter: 'indexed' })).body.variables, []);
  await assert.rejects(client.setVariableRequest({ variablesReference, name: 'R0', value: '1' }), /cannot be changed/);
  await assert.rejects(client.variablesRequest({ variablesReference: 2 ** 31 - 1 }), /lane/);
  await assert.rejects(client.scopesRequest({ frameId: 3 }), /no frame/);
});

test('calls are frames', async () => {
  const sprite = { program: path.join(root, 'examples/sprite.g.pica'), input: path.join(root, 'tests/run/sprite.json') };
  await client.entered(sprite);
  await client.setFunctionBreakpointsRequest({ breakpoints: [{ name: 'corner' }] });
  await client.moved('continue');
  const { body: { stackFrames, totalFrames } } = await client.stackTraceRequest({ threadId: 1 });
  assert.equal(totalFrames, 2);
  assert.deepEqual(stackFrames.map((frame) => frame.line), [17, 36]);
  await client.moved('stepOut');
  assert.equal((await client.top()).line, 36);
});

test('expressions in every context', async () => {
  await client.entered(fog);
  await client.moved('next');
  for (const context of ['watch', 'hover', 'repl', 'clipboard', 'variables']) {
    assert.equal(await client.value('v1.x', context, 3), '5.0', context);
  }
  assert.match(await client.value('why ft0.x', 'repl', 3), /an input/);
  await assert.rejects(client.value('ft99', 'hover'), /ft99/);
  await assert.rejects(client.value('until nowhere', 'repl'), /no event/);
  const stopped = client.waitForEvent('stopped');
  assert.match(await client.value('until :10', 'repl', 3), /=> 0x0004/);
  assert.equal((await stopped).body.reason, 'goto');
  assert.equal((await client.top(3)).line, 10);
});

test('completions count code units of UTF-16', async () => {
  await client.entered(fog);
  const complete = async (/** @type {string} */ text, /** @type {number} */ column) =>
    (await client.completionsRequest({ text, column })).body.targets;
  const [first] = await complete('print fc', 9);
  assert.deepEqual([first.label, first.start, first.length], ['fc0', 7, 2]);
  const [after] = await complete('print "😀ä" + fc rest', 17);
  assert.deepEqual([after.start, after.length], [15, 2]);
  assert.deepEqual((await complete('rev', 4)).map((item) => item.label), ['reverse']);
});

test('columns and lines may count from 0', async () => {
  await client.initializeRequest({ adapterID: 'shisa', linesStartAt1: false, columnsStartAt1: false, pathFormat: 'path' });
  const ready = client.waitForEvent('initialized');
  await client.launchRequest(/** @type {any} */ ({ ...fog, stopOnEntry: true }));
  await ready;
  await client.configurationDoneRequest();
  const { line, column } = await client.top();
  assert.deepEqual([line, column], [5, 0]);
  const [first] = (await client.completionsRequest({ text: 'fc', column: 2 })).body.targets;
  assert.equal(first.start, 0);
});

test('disassembly has as many instructions as the client asks for', async () => {
  await client.entered(saxpy);
  const memoryReference = (await client.top()).instructionPointerReference ?? '';
  const { body } = await client.disassembleRequest({ memoryReference, instructionOffset: -3, instructionCount: 30 });
  const list = body?.instructions ?? [];
  assert.equal(list.length, 30);
  assert.deepEqual(list.slice(0, 5).map((found) => [BigInt(found.address), found.presentationHint]), [[-3n, 'invalid'], [-2n, 'invalid'], [-1n, 'invalid'], [8n, undefined], [16n, undefined]]);
  const addresses = list.map((found) => BigInt(found.address));
  assert.ok(addresses.every((address, at) => at === 0 || addresses[at - 1] < address));
  const set = await client.customRequest('setInstructionBreakpoints', { breakpoints: [{ instructionReference: '0x8', offset: 8 }, { instructionReference: '0x9' }] });
  assert.deepEqual(set.body.breakpoints.map((/** @type {any} */ point) => point.verified), [true, false]);
  assert.equal((await client.moved('continue')).reason, 'instruction breakpoint');
});

test('memory is base64', async () => {
  await client.entered(saxpy);
  const read = async (/** @type {object} */ args) => (await client.customRequest('readMemory', args)).body;
  const { body } = await client.evaluateRequest({ expression: 'global[0x100002000]', frameId: (await client.top()).id });
  const memoryReference = body.memoryReference;
  const whole = await read({ memoryReference, count: 16 });
  const later = await read({ memoryReference, offset: 4, count: 4 });
  assert.equal(BigInt(later.address), 0x100002004n);
  assert.deepEqual(Buffer.from(whole.data, 'base64').subarray(4, 8), Buffer.from(later.data, 'base64'));
  assert.equal((await read({ memoryReference, count: 4096 })).unreadableBytes, 4072);
  await assert.rejects(read({ memoryReference: 'R0', count: 4 }), /reference/);
});

test('targets of goto are the visits of a line', async () => {
  await client.entered(collatz);
  const source = { path: collatz.program };
  const { body: { targets: [later] } } = await client.gotoTargetsRequest({ source, line: 12 });
  assert.equal((await client.moved('goto', { threadId: 1, targetId: later.id })).reason, 'goto');
  assert.equal((await client.top()).line, 12);
  await client.moved('continue');
  const { body: { targets } } = await client.gotoTargetsRequest({ source, line: 12 });
  assert.ok(targets.length === 1 && targets[0].id > later.id);
});

test('a binary program has a listing', async () => {
  const program = path.join(folder, 'collatz.bin');
  execFileSync(command, ['asm', collatz.program, '-o', program]);
  await client.entered({ program, input: collatz.input, isa: 'agx' });
  const { source, line } = await client.top();
  assert.ok(source && (source.sourceReference ?? 0) > 0 && !source.path);
  const { body: { content } } = await client.sourceRequest({ sourceReference: source.sourceReference ?? 0 });
  const lines = content.split('\n');
  assert.match(lines[line - 1], /thread_in_grid_x/);
  const label = lines.findIndex((text) => text === 'L_0016:');
  const { body } = await client.setBreakpointsRequest({ source, breakpoints: [{ line: label + 1 }] });
  assert.equal(body.breakpoints[0].line, label + 2);
  assert.equal((await client.moved('continue')).reason, 'breakpoint');
  assert.deepEqual((await client.customRequest('loadedSources')).body.sources, [source]);
});

test('a pause ends a long move', async () => {
  const program = written('long.agx', `// agx
.code "long"
    ldimm r1, 0
    ldimm r2, 262144
    ldimm r0l, 0
again:
    iadd r1, r1, 1
    while r1, r2, 1, ult
    jmp_any again
    stop
${'    trap\n'.repeat(8)}`);
  const input = written('long.json', JSON.stringify({ grid: [1, 1, 1], workgroup: [1, 1, 1], buffers: [] }));
  await client.entered({ program, input });
  const source = { path: program };
  const condition = Array(40).fill('r1 == 0x12345678').join(' || ');
  const { body: { breakpoints: [point] } } = await client.setBreakpointsRequest({ source, breakpoints: [{ line: 7, condition }] });
  assert.ok(point.verified);
  const stopped = client.waitForEvent('stopped');
  await client.continueRequest({ threadId: 1 });
  await client.pauseRequest({ threadId: 1 });
  assert.equal((await stopped).body.reason, 'pause');
  assert.equal((await client.top()).line, 3);
});

test('programs without debugging, and the end', async () => {
  const terminated = client.waitForEvent('terminated');
  await Promise.all([client.configurationSequence(), client.launch({ ...fog, noDebug: true })]);
  await terminated;
  await assert.rejects(client.stackTraceRequest({ threadId: 1 }), /no program is launched/);
});

test('terminate, then disconnect', async () => {
  await client.entered(fog);
  const terminated = client.waitForEvent('terminated');
  await client.terminateRequest();
  await terminated;
  await assert.rejects(client.continueRequest({ threadId: 1 }), /does not run/);
});

test('a client at a port', async () => {
  const adapter = spawn(command, ['dap', '--port', '0'], { cwd: root });
  const exit = once(adapter, 'exit');
  after(() => adapter.kill());
  const lines = createInterface(adapter.stderr);
  const [line] = await once(lines, 'line');
  const other = new Client();
  await other.start(Number(line.split(':').pop()));
  await other.hitBreakpoint(fog, { path: fog.program, line: 9 });
  await other.stop();
  assert.deepEqual(await exit, [0, null]);
});

test('a saved session goes on at its position', async () => {
  await client.entered({ session: path.join(root, 'tests/debug/fog.session') });
  const at = await client.top();
  assert.equal(at.instructionPointerReference, '0x2');
  const stop = await client.moved('continue');
  assert.equal(stop.reason, 'breakpoint');
  assert.equal((await client.top()).instructionPointerReference, '0x8');
});

test('wrong requests get clear errors', async () => {
  await assert.rejects(client.threadsRequest(), /first request must be "initialize"/);
  await client.initializeRequest();
  const launch = (/** @type {any} */ args) => client.launchRequest(args);
  await assert.rejects(launch({}), /"input"/);
  await assert.rejects(launch({ input: fog.input }), /"program"/);
  await assert.rejects(launch({ ...fog, program: '/nowhere' }), /nowhere/);
  await assert.rejects(launch({ ...fog, program: '-' }), /standard input/);
  await assert.rejects(launch({ ...fog, isa: 'risc' }), /it may be agal, pica200, maxwell, agx/);
  await assert.rejects(launch({ ...fog, run: 2 }), /no run 2/);
  await assert.rejects(launch({ ...fog, input: fog.program }), /./);
  await assert.rejects(client.customRequest('frobnicate'), /"frobnicate" is not supported/);
  await assert.rejects(client.attachRequest({}), /launch a program/);
  await launch(fog);
  await assert.rejects(launch(fog), /already been launched/);
  await assert.rejects(client.continueRequest({ threadId: 1 }), /does not run/);
});

test('damaged input ends the adapter with an error', () => {
  for (const [input, message] of /** @type {[string, RegExp][]} */ ([
    ['Content-Length: 99999999\r\n\r\n', /the largest has 1048576/],
    ['Content-Length: -1\r\n\r\n{}', /not a number of bytes: "-1"/],
    ['hello\r\n\r\n', /no Content-Length/],
    [`Content-Length: 9000\r\n\r\n${'['.repeat(9000)}`, /recursion limit/],
    ['Content-Length: 9\r\n\r\n{}', /ends in a message/],
    ['x'.repeat(100000), /more than 1024 bytes/],
  ])) {
    const { status, stderr } = spawnSync(command, ['dap'], { input, timeout: 10000 });
    assert.equal(status, 2, input.slice(0, 40));
    assert.match(String(stderr), message);
  }
  assert.equal(spawnSync(command, ['dap'], { input: '', timeout: 10000 }).status, 0);
});
