// What the official SDK declares, read from its public declarations: names only.
import { existsSync, readFileSync } from 'node:fs';
import { exportsOf } from './declarations.mjs';

const FOLDER = 'test/peers/node_modules/@anthropic-ai/claude-agent-sdk';

/** Where the names are kept, so that the page can be written without the SDK. */
export const SURFACE_FILE = 'test/compat/official-surface.json';

/** Reads the names from the declarations; undefined where the SDK is not installed. */
export function readOfficialSurface() {
  if (!existsSync(`${FOLDER}/sdk.d.ts`)) return undefined;
  const { name, version, exports } = JSON.parse(readFileSync(`${FOLDER}/package.json`, 'utf8'));
  const declared = exportsOf(`${FOLDER}/sdk.d.ts`);
  const ofKind = (wanted) => [...new Set(declared.filter(({ kind }) => kind === wanted).map((each) => each.name))];
  return {
    package: name,
    version,
    functions: ofKind('function').sort(),
    classes: ofKind('class').sort(),
    constants: ofKind('constant').sort(),
    types: ofKind('type').sort(),
    options: membersOf(declared, 'Options'),
    methods: membersOf(declared, 'Query'),
    otherEntries: Object.keys(exports).filter((path) => path !== '.' && !path.endsWith('.js')),
  };
}

/** The names that a type declares itself, without those it inherits. */
function membersOf(declared, name) {
  const { node } = declared.find((each) => each.name === name);
  return (node.members ?? node.type.members).map((member) => member.name.getText()).sort();
}
