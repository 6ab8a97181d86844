// What the official SDK declares, read from its public declarations: names only.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { ENTRIES } from './beside-official.mjs';
import { exportsOf, membersOf } from './declarations.mjs';
import { missingMembers } from './missing-members.mjs';

const FOLDER = 'test/peers/node_modules/@anthropic-ai/claude-agent-sdk';

/** Where the names are stored, so that the page can be written without the SDK. */
export const SURFACE_FILE = 'test/compat/official-surface.json';

/** Reads the names from the declarations; undefined if the SDK is not installed. */
export function readOfficialSurface() {
  if (!existsSync(`${FOLDER}/sdk.d.ts`)) return undefined;
  const { name, version, exports } = JSON.parse(readFileSync(`${FOLDER}/package.json`, 'utf8'));
  const declared = exportsOf(`${FOLDER}/sdk.d.ts`);
  const ofKind = (wanted) => [
    ...new Set(declared.filter(({ kind }) => kind === wanted).map((each) => each.name)),
  ];
  return {
    package: name,
    version,
    functions: ofKind('function').sort(),
    classes: ofKind('class').sort(),
    constants: ofKind('constant').sort(),
    types: ofKind('type').sort(),
    options: membersOf(declared, 'Options').sort(),
    methods: membersOf(declared, 'Query').sort(),
    otherEntries: Object.keys(exports)
      .filter((path) => path !== '.' && !path.endsWith('.js'))
      .map((path) => path.slice(1)),
  };
}

/** The stored names; with `renew` they are read again first, if the SDK is installed. */
export function keptSurface({ renew }) {
  const kept = JSON.parse(readFileSync(SURFACE_FILE, 'utf8'));
  const read = renew ? readOfficialSurface() : undefined;
  if (read === undefined || isDeepStrictEqual(read, kept)) return kept;
  writeFileSync(SURFACE_FILE, `${JSON.stringify(read, null, 2)}\n`);
  console.log(`wrote ${SURFACE_FILE}`);
  const missing = ENTRIES.flatMap(([wanted, offered]) => missingMembers({ wanted, offered }));
  console.log([`declared by ${read.package} ${read.version}, and missing here:`, ...missing].join('\n  '));
  return read;
}

/** The names as code, for the command that checks projects. */
export function namesText({ version, functions, classes, constants, types, options }) {
  const list = (names) => `[\n${names.map((name) => `    '${name}',\n`).join('')}  ]`;
  return `// Written by scripts/write-reference.mjs from official-surface.json: edit nothing here.

/** The names that the official SDK declares. */
export const officialNames = {
  version: '${version}',
  values: ${list([...functions, ...classes, ...constants])},
  types: ${list(types)},
  options: ${list(options)},
};
`;
}
