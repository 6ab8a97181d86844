import type { Requirements } from '../requirement.js';

/** Which output schemas a CLI accepts. */
export const schemaRequirements = {
  'schema:draft-7': {
    behaviour: 'A `--json-schema` whose `$schema` names draft 7 produces structured output.',
  },
  'schema:later-draft': {
    behaviour: 'A `--json-schema` whose `$schema` names draft 2020-12 produces structured output.',
  },
  'schema:unknown-keyword': {
    behaviour: 'A `--json-schema` with a keyword that draft 7 does not have produces structured output.',
  },
  'schema:format': {
    behaviour: 'A `--json-schema` with the `format` of an e-mail address produces structured output.',
  },
  'schema:unknown-format': {
    behaviour: 'A `--json-schema` with an unknown `format` produces structured output.',
  },
  'schema:bad-flag': {
    behaviour: 'A `--json-schema` that the CLI cannot use ends it with exit code 1.',
  },
  'schema:bad-handshake': {
    behaviour: 'A `jsonSchema` in the handshake that the CLI cannot use is silently ignored.',
  },
} as const satisfies Requirements;
