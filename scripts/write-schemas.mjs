// Writes dist/schema: the wire of each CLI version as a JSON Schema. The arguments are its inputs.
import { probedVersions } from '../src/wire/protocol/catalog/entries.ts';
import { writeOutputs } from './lib/bundle/outputs.mjs';
import { writeStamp } from './lib/stamp.mjs';
import { wireSchema } from './lib/wire-schema.mjs';

const files = probedVersions.map((version) => ({
  fileName: `schema/${version}.json`,
  source: `${JSON.stringify(wireSchema(version), null, 1)}\n`,
}));
writeStamp('schemas', { always: process.argv.slice(2), inputs: [], outputs: writeOutputs(files) });
