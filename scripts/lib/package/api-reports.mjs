// The public surface of each entry point as api/<entry-point>.api.md, so that changes show in a diff.
import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import ts from 'typescript';
import { publicTypesOf } from '../bundle/public-types.mjs';
import { makeExportFinder } from './forgotten-exports.mjs';

/** Writes the reports, or with `write: false` returns the entry points whose report differs, as sentences. */
export function apiProblems(entryPoints, { write }) {
  // From the side package, and only now: check that it is installed before calling.
  const { CompilerState, Extractor, ExtractorConfig } = createRequire(resolve('tools/package.json'))(
    '@microsoft/api-extractor',
  );
  mkdirSync('.cache/api', { recursive: true });
  const configs = Object.entries(entryPoints).map(([entryPoint, { source }]) => [
    entryPoint,
    ExtractorConfig.prepare({
      configObject: reportConfig(entryPoint, typesOf(source)),
      configObjectFullPath: resolve('api/api-extractor.json'),
      packageJsonFullPath: resolve('package.json'),
    }),
  ]);
  const additionalEntryPoints = Object.values(entryPoints).map(({ source }) => typesOf(source));
  const compilerState = CompilerState.create(configs[0][1], { additionalEntryPoints });
  const isExported = makeExportFinder(additionalEntryPoints, compilerOptions);
  return configs.flatMap(([entryPoint, config]) => {
    const problems = [];
    const messageCallback = (message) => {
      if (message.logLevel === 'error' && !isElsewhere(message))
        problems.push(`${entryPoint}: ${message.text}`);
      message.handled = true;
    };
    const isElsewhere = ({ messageId, text, sourceFilePath }) =>
      messageId === 'ae-forgotten-export' && isExported(/symbol "(\w+)"/.exec(text)?.[1], sourceFilePath);
    const result = Extractor.invoke(config, { localBuild: write, compilerState, messageCallback });
    if (result.apiReportChanged && !write) problems.push(changed(entryPoint));
    return [...problems, ...undocumented(entryPoint)];
  });
}

// The name of an entry point's report, without its ending.
function reportName(entryPoint) {
  return entryPoint === '.' ? 'sdk' : entryPoint.slice(2).replaceAll('/', '-');
}

/** Exported symbols and members without a sentence; further overloads need none. */
function undocumented(entryPoint) {
  const report = readFileSync(`.cache/api/${reportName(entryPoint)}.api.md`, 'utf8');
  const described = new Set([...report.matchAll(DESCRIBED)].map(([, name]) => name));
  return [
    ...[...report.matchAll(UNDESCRIBED)].filter(([, , name]) => !described.has(name)),
    ...report.matchAll(UNDESCRIBED_MEMBER),
  ].map(([, symbol]) => `${entryPoint}: no sentence above "${symbol}"`);
}

const DESCRIBED = /^\/\/ @public\nexport function (\w+)/gm;
const UNDESCRIBED = /^\/\/ @public \(undocumented\)\nexport ((?:function (\w+))?.*)$/gm;
const UNDESCRIBED_MEMBER = /^ +\/\/ \(undocumented\)\n +(.*)$/gm;

function changed(entryPoint) {
  return (
    `api/${reportName(entryPoint)}.api.md is not what ${entryPoint} offers now: ` +
    'run node scripts/check-package.mjs --write and look at the diff'
  );
}

function typesOf(source) {
  return resolve(publicTypesOf(source));
}

function reportConfig(entryPoint, types) {
  const none = { logLevel: 'none', addToApiReportFile: false };
  return {
    projectFolder: resolve('.'),
    mainEntryPointFilePath: types,
    newlineKind: 'lf',
    compiler: { overrideTsconfig: tsconfig(types) },
    apiReport: {
      enabled: true,
      reportFileName: reportName(entryPoint),
      reportFolder: resolve('api'),
      reportTempFolder: resolve('.cache/api'),
    },
    docModel: { enabled: false },
    dtsRollup: { enabled: false },
    messages: {
      compilerMessageReporting: { default: { logLevel: 'error' } },
      extractorMessageReporting: {
        default: { logLevel: 'error' },
        'ae-missing-release-tag': none,
        'ae-undocumented': none,
        'ae-unresolved-link': none,
      },
      tsdocMessageReporting: { default: none },
    },
  };
}

const inWords = {
  target: 'ES2022',
  lib: ['ES2023'],
  module: 'NodeNext',
  moduleResolution: 'NodeNext',
  strict: true,
  skipLibCheck: true,
  types: ['node'],
};
const compilerOptions = ts.convertCompilerOptionsFromJson(inWords, '.').options;

function tsconfig(types) {
  return { compilerOptions: inWords, files: [types] };
}
