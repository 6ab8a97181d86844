// dist/schema/<version>.json: the wire of one CLI version as a JSON Schema, generated from the catalog.
import * as z from 'zod';
import {
  cliRequests,
  hookEvents,
  hostMessages,
  hostRequests,
  messages,
} from '../../src/wire/protocol/catalog/catalog.ts';
import { cliRequestSchemas } from '../../src/wire/protocol/catalog/cli.schemas.ts';
import { envelopeSchemas } from '../../src/wire/protocol/catalog/envelopes.schemas.ts';
import { hookSchemas } from '../../src/wire/protocol/catalog/hooks.schemas.ts';
import { hostRequestSchemas } from '../../src/wire/protocol/catalog/host.schemas.ts';
import { hostMessageSchemas } from '../../src/wire/protocol/catalog/messages/from-host-messages.schemas.ts';
import { messageSchemas } from '../../src/wire/protocol/catalog/messages.schemas.ts';
import { isIn } from './since.mjs';

/** Every line on the wire, and the contents of requests, answers and hooks, as far as this version knows them. */
export function wireSchema(version) {
  const known = (part, entries) => Object.keys(entries).filter((name) => isIn(version, part, name));
  const requests = { host: known('hostRequests', hostRequests), cli: known('cliRequests', cliRequests) };
  const sent = { host: Object.keys(hostMessages), cli: known('messages', messages) };
  const hooks = known('hookEvents', hookEvents);
  const defs = {
    ...lineDefs('host', requests.host, sent.host),
    ...lineDefs('cli', requests.cli, sent.cli),
    ...requestDefs('host', requests.host, hostRequestSchemas),
    ...requestDefs('cli', requests.cli, cliRequestSchemas),
    ...named(sent.host, (name) => [`host message ${name}`, plain(hostMessageSchemas[name])]),
    ...named(sent.cli, (name) => [`cli message ${name}`, plain(messageSchemas[name])]),
    ...named(hooks, (name) => [`hook input ${name}`, plain(hookSchemas[name].input)]),
    ...named(hooks, (name) => [`hook output ${name}`, plain(hookSchemas[name].output)]),
    ...named(Object.keys(envelopeSchemas), (name) => [`envelope ${name}`, plain(envelopeSchemas[name])]),
  };
  return {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    title: `The wire of Claude CLI ${version}`,
    description:
      'Made from the catalog of coxswain. A line of the host is `host line`, one of ' +
      'the CLI `cli line`. The value of a success answer is `host answer NAME` or `cli answer NAME`, by who was asked ' +
      'NAME. Unknown keys are allowed everywhere: newer versions add some.',
    anyOf: [ref('host line'), ref('cli line')],
    $defs: defs,
  };
}

/** The lines of one side: its requests, its answers, its messages. */
function lineDefs(from, requests, messages) {
  return {
    [`${from} line`]: {
      anyOf: [
        ...requests.map((name) => ref(`${from} request ${name}`)),
        ...messages.map((name) => ref(`${from} message ${name}`)),
        ...['control_response', 'control_cancel_request', 'keep_alive'].map((name) =>
          ref(`envelope ${name}`),
        ),
      ],
    },
  };
}

/** A request as a whole line, and the value of its answer from the other side. */
function requestDefs(from, names, schemas) {
  const other = from === 'host' ? 'cli' : 'host';
  return {
    ...named(names, (name) => [`${from} request ${name}`, requestLine(name, plain(schemas[name].params))]),
    ...named(names, (name) => [`${other} answer ${name}`, plain(schemas[name].answer)]),
  };
}

function requestLine(subtype, params) {
  return {
    type: 'object',
    properties: {
      type: { const: 'control_request' },
      request_id: { type: 'string' },
      request: {
        allOf: [{ properties: { subtype: { const: subtype } }, required: ['subtype'] }, params],
      },
    },
    required: ['type', 'request_id', 'request'],
  };
}

function plain(schema) {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' });
  return rest;
}

function named(names, entryOf) {
  return Object.fromEntries(names.map(entryOf));
}

function ref(name) {
  return { $ref: `#/$defs/${name.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll(' ', '%20')}` };
}
