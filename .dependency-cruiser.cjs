// The layer rules of architecture.json, for what the compiler cannot say.
const { readLayers } = require('./scripts/lib/layers.cjs');

const layers = readLayers(require.resolve('./architecture.json'));
const pathOf = new Map(layers.map(({ name, path }) => [name, path]));

const any = (names) => names.join('|');
const pure = layers.filter((layer) => layer.pure).map(({ path }) => path);
const NPM = ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown'];

module.exports = {
  forbidden: [
    ...layers.map(({ name, path, may }) => ({
      name: `layer-${name}`,
      severity: 'error',
      comment: `src/${path} may import only: ${[name, ...may].join(', ')}`,
      from: { path: `^src/${path}/` },
      to: { path: '^src/', pathNot: `^src/(${any([path, ...may.map((other) => pathOf.get(other))])})/` },
    })),
    ...layers.map(({ name, path, npm = [] }) => ({
      name: `npm-${name}`,
      severity: 'error',
      comment: `src/${path} may load only these packages: ${npm.join(', ') || 'none'}`,
      from: { path: `^src/${path}/` },
      to: { dependencyTypes: NPM, pathNot: npm.length === 0 ? '^$' : `node_modules/(${any(npm)})/` },
    })),
    {
      name: 'schemas-apart',
      severity: 'error',
      comment: 'zod costs 65 to 85 ms to import: only the schema half of the catalog loads it',
      from: { path: '^src/', pathNot: 'schemas?\\.ts$' },
      to: { path: 'node_modules/zod/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'schemas-are-types-elsewhere',
      severity: 'error',
      comment:
        'outside testing and conformance, schemas are types or loaded on demand, never a static import',
      from: { path: '^src/(?!lab/)', pathNot: 'schemas?\\.ts$' },
      to: { path: '^src/.*schemas?\\.ts$', dependencyTypesNot: ['type-only', 'dynamic-import'] },
    },
    {
      name: 'loaded-on-demand',
      severity: 'error',
      comment:
        'a parser and a recorder are no part of the main entry point: sessions load them only when asked for',
      from: { path: '^src/(host/session|entry/sdk)/' },
      to: { path: '^src/(host/patches|wire/trace)/', dependencyTypesNot: ['type-only', 'dynamic-import'] },
    },
    {
      name: 'pure-layers',
      severity: 'error',
      from: { path: `^src/(${any(pure)})/` },
      to: { dependencyTypes: ['core'] },
    },
    {
      name: 'no-cycles',
      severity: 'error',
      from: {},
      to: { circular: true, viaOnly: { dependencyTypesNot: ['type-only'] } },
    },
    {
      name: 'no-barrels-inside',
      severity: 'error',
      comment: 'entry points are for outsiders',
      from: { path: '^src/' },
      to: { path: '^src/[^/]+/[^/]+/index\\.ts$' },
    },
    {
      name: 'peer-sees-only-the-interface',
      severity: 'error',
      from: { path: '^src/wire/peer/' },
      to: { path: '^src/wire/transport/(?!transport\\.ts$)' },
    },
    { name: 'no-test-in-src', severity: 'error', from: { path: '^src/' }, to: { path: '^test/' } },
    {
      name: 'unresolvable',
      severity: 'error',
      from: {},
      // The user's own package, whose types are followed where it is installed.
      to: { couldNotResolve: true, pathNot: '^@anthropic-ai/sdk/' },
    },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types'] },
  },
};
