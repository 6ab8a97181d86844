// The layer rules of architecture.json, for what the compiler cannot say.
const layers = require('./architecture.json');

const any = (names) => names.join('|');
const pure = Object.keys(layers).filter((layer) => layers[layer].pure);
const NPM = ['npm', 'npm-dev', 'npm-optional', 'npm-peer', 'npm-no-pkg', 'npm-unknown'];

module.exports = {
  forbidden: [
    ...Object.entries(layers).map(([layer, { may }]) => ({
      name: `layer-${layer}`,
      severity: 'error',
      comment: `src/${layer} may import only: ${[layer, ...may].join(', ')}`,
      from: { path: `^src/${layer}/` },
      to: { path: '^src/', pathNot: `^src/(${any([layer, ...may])})/` },
    })),
    ...Object.entries(layers).map(([layer, { npm = [] }]) => ({
      name: `npm-${layer}`,
      severity: 'error',
      comment: `src/${layer} may load only these packages: ${npm.join(', ') || 'none'}`,
      from: { path: `^src/${layer}/` },
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
      from: { path: '^src/(?!testing/|conformance/)', pathNot: 'schemas?\\.ts$' },
      to: { path: '^src/.*schemas?\\.ts$', dependencyTypesNot: ['type-only', 'dynamic-import'] },
    },
    {
      name: 'loaded-on-demand',
      severity: 'error',
      comment: 'a parser and a recorder are no part of the main door: sessions load them only when asked for',
      from: { path: '^src/(session|sdk)/' },
      to: { path: '^src/(patches|trace)/', dependencyTypesNot: ['type-only', 'dynamic-import'] },
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
      comment: 'doors are for outsiders',
      from: { path: '^src/' },
      to: { path: '^src/[^/]+/index\\.ts$' },
    },
    {
      name: 'peer-sees-only-the-interface',
      severity: 'error',
      from: { path: '^src/peer/' },
      to: { path: '^src/transport/(?!transport\\.ts$)' },
    },
    { name: 'no-test-in-src', severity: 'error', from: { path: '^src/' }, to: { path: '^test/' } },
    { name: 'unresolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
  ],
  options: {
    tsPreCompilationDeps: true,
    tsConfig: { fileName: 'tsconfig.base.json' },
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['import', 'types'] },
  },
};
