import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import ts from 'typescript';
import { afterAll, beforeAll, expect, test } from 'vitest';

// What an editor shows above a name, asked of the compiler's service about a program that imports the built package.
const program = `
import { openSession, type CliMessage, type Message } from 'coxswain';
import { query, type Options, type SDKMessage } from 'coxswain/compat';
declare const message: CliMessage;
declare const init: Message<'system/init'>;
declare const options: Options;
if (message.type === 'result') message./*cost*/total_cost_usd;
if (message.type === 'result') message.usage./*tokens*/cache_read_input_tokens;
if (message.type === 'assistant') message./*error*/error;
if (message.type === 'result') message.permission_denials[0]?./*denied*/tool_name;
init./*mode*/permissionMode;
options./*cwd*/additionalDirectories;
`;

const hovers = {
  cost: 'Cost of the session so far, in US dollars.',
  tokens: 'Tokens read from the cache.',
  error: 'Why the API call failed; the content then has the error text.',
  denied: 'The denied tool.',
  mode: 'The permission mode.',
  cwd: 'Folders besides `cwd` that tools may work in.',
};

let folder = '';
let service: ts.LanguageService;

beforeAll(() => {
  // Inside the project, so that the program finds the package by its own name.
  mkdirSync('.cache', { recursive: true });
  folder = mkdtempSync(resolve('.cache', 'hover-'));
  const file = join(folder, 'program.ts');
  writeFileSync(file, program);
  service = serviceFor(file);
}, 120_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));

test.for(Object.entries(hovers))('an editor shows the comment of a field: %s', ([mark, text]) => {
  const place = program.indexOf(`/*${mark}*/`) + mark.length + 4;
  const info = service.getQuickInfoAtPosition(join(folder, 'program.ts'), place);
  expect(ts.displayPartsToString(info?.documentation)).toBe(text);
});

function serviceFor(file: string): ts.LanguageService {
  const options: ts.CompilerOptions = {
    module: ts.ModuleKind.NodeNext,
    moduleResolution: ts.ModuleResolutionKind.NodeNext,
    target: ts.ScriptTarget.ES2022,
    strict: true,
    types: ['node'],
  };
  return ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) => {
      const text = ts.sys.readFile(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    getCurrentDirectory: () => folder,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists,
    readFile: ts.sys.readFile,
    directoryExists: ts.sys.directoryExists,
  });
}
