// @ts-check
// Checks messages of an adapter against the types of the protocol, which the package of its authors contains.
'use strict';

const { default: Ajv } = require('ajv');
const { createGenerator } = require('ts-json-schema-generator');

const path = require.resolve('@vscode/debugprotocol/package.json').replace('package.json', 'lib/debugProtocol.d.ts');
const schema = createGenerator({ path, type: '*', expose: 'all', skipTypeCheck: true }).createSchema('*');
const ajv = new Ajv({ strict: false, allErrors: true });
ajv.addSchema(schema, 'protocol');

/**
 * The faults of a message; none if it is one of the protocol's.
 * @param {any} message
 * @returns {string[]}
 */
function faults(message) {
  const capital = (/** @type {string} */ name) => name[0].toUpperCase() + name.slice(1);
  const name = message.type === 'event' ? `${capital(message.event)}Event`
    : message.success ? `${capital(message.command)}Response` : 'ErrorResponse';
  const validate = ajv.getSchema(`protocol#/definitions/DebugProtocol.${name}`);
  if (!validate) return [`the protocol has no ${name}`];
  if (validate(message)) return [];
  const errors = validate.errors ?? [];
  return errors.map((e) => `${name}${e.instancePath} ${e.message} ${JSON.stringify(e.params)}`);
}

module.exports = { faults };
