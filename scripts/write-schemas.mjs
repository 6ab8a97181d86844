// Writes dist/schema: the wire of each CLI version as a JSON Schema. The arguments are its inputs.
import { recordedVersions } from '../src/lab/conformance/recorded-versions.ts';
import { writeOutputs } from './lib/bundle/outputs.mjs';
import { writeStamp } from './lib/stamp.mjs';
import { wireSchema } from './lib/wire-schema.mjs';

const files = recordedVersions.map((version) => ({
  fileName: `schema/${version}.json`,
  source: `${JSON.stringify(wireSchema(version), null, 1)}\n`,
}));
writeStamp('schemas', { always: process.argv.slice(2), inputs: [], outputs: writeOutputs(files) });
