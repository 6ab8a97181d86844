import type { WireObject } from '../../../wire/protocol/frames.js';
import { text, toolUse } from '../../testing/model/replies.js';
import { type ProbeGroup, probe } from '../probe.js';
import { describe, type Reaction } from '../reaction.js';
import { part } from '../reading.js';
import type { Stage } from '../stage.js';
import { type Finding, judge, unsupported } from '../verdict.js';

const MAIL = 'otter@river.example';

function schemaOf(fields: WireObject, string: WireObject = {}): WireObject {
  return { type: 'object', properties: { mail: { type: 'string', ...string } }, ...fields };
}

const draft7 = schemaOf({ $schema: 'http://json-schema.org/draft-07/schema#' });
const laterDraft = schemaOf({ $schema: 'https://json-schema.org/draft/2020-12/schema' });

/** Which JSON Schema dialects produce structured output, and what happens with others. */
export const schemaDialects: ProbeGroup = {
  name: 'dialects of JSON Schema',
  initialize: false,
  probes: [
    probe(
      [
        'schema:draft-7',
        'schema:later-draft',
        'schema:unknown-keyword',
        'schema:format',
        'schema:unknown-format',
        'schema:bad-flag',
        'schema:bad-handshake',
      ],
      async (stage) => {
        const usual = await outputByFlag(stage, draft7);
        const later = await outputByFlag(stage, laterDraft);
        const beside = await outputByHandshake(stage, laterDraft);
        // Without the flag, every schema on the command line ends the CLI; that says nothing about schemas.
        const told = (isSo: boolean, output: Output): Finding =>
          hasEnded(usual) ? noFlag : judge(isSo, inWords(output));
        const taken = async (schema: WireObject): Promise<Finding> => {
          const output = await outputByFlag(stage, schema);
          return told(hasOutput(output), output);
        };
        return {
          'schema:draft-7': told(hasOutput(usual), usual),
          'schema:later-draft': told(hasOutput(later), later),
          'schema:unknown-keyword': await taken(schemaOf({ otter: 1 })),
          'schema:format': await taken(schemaOf({}, { format: 'email' })),
          'schema:unknown-format': await taken(schemaOf({}, { format: 'otter' })),
          'schema:bad-flag': told(hasEnded(later), later),
          'schema:bad-handshake': judge(
            beside.result?.subtype === 'success' && !hasOutput(beside),
            inWords(beside),
          ),
        };
      },
    ),
  ],
};

const noFlag = unsupported('it does not take --json-schema');

/** How far a CLI got with a schema. */
interface Output {
  readonly handshake: Reaction;
  readonly result?: WireObject;
}

async function outputByFlag(stage: Stage, schema: WireObject): Promise<Output> {
  const flags = { extraArgs: { 'json-schema': JSON.stringify(schema) } };
  return outputOf(await stage.open({ flags }), {});
}

async function outputByHandshake(stage: Stage, schema: WireObject): Promise<Output> {
  return outputOf(await stage.open({}), { jsonSchema: schema });
}

/** A turn in which the model returns its output through the tool, if it exists. */
async function outputOf(stage: Stage, fields: WireObject): Promise<Output> {
  const handshake = await stage.request('initialize', fields, stage.subject.patience.startMs);
  if (handshake.kind !== 'success') return { handshake };
  const { result } = await stage.turn([toolUse('StructuredOutput', { mail: MAIL }), text('done')]);
  return { handshake, result };
}

function hasOutput({ result }: Output): boolean {
  return part(result, 'structured_output').mail === MAIL;
}

function hasEnded({ handshake }: Output): boolean {
  return handshake.kind === 'ended' && handshake.exit.code === 1;
}

function inWords({ handshake, result }: Output): string {
  return result === undefined ? describe(handshake) : `the result is ${result.subtype}`;
}
