// Builds the browser pages of console-ui: the recording page into one file, the console into separate files.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative, resolve } from 'node:path';
import { isFresh, writeStamp } from '../stamp.mjs';

const PAGES = {
  recording: { folder: 'console-ui/recording', build: buildRecording },
  console: { folder: 'console-ui/console', build: buildConsole },
};
const RECORDING = 'dist/pages/recording.html';
const CONSOLE = 'dist/pages/console';
const WORKER = 'service-worker';
/** Bundled code keeps its licence notices. */
const LICENCES = 'licences.md';
/** Browsers since mid-2024, which support light-dark() and nested styles. */
const TARGET = ['chrome123', 'edge123', 'firefox121', 'safari17.5'];

/** Builds the pages whose inputs changed since the last time. */
export async function buildPages() {
  for (const [name, { folder, build }] of Object.entries(PAGES)) {
    const always = [folder, 'console-ui/shared', 'package-lock.json', 'scripts/lib/pages'];
    if (!existsSync(join(folder, 'index.html')) || isFresh(name, always)) continue;
    const { modules, outputs } = await build(folder);
    writeStamp(name, { always, inputs: ownModules(modules), outputs });
  }
}

/** One file with script and style inside; the recording is inserted when it is exported or served. */
async function buildRecording(folder) {
  const { chunks, styles, notices } = await bundle(folder, {
    write: false,
    rollupOptions: { input: join(folder, 'main.tsx') },
  });
  const [script, style] = [chunks.map(({ code }) => code), styles].map((texts) => texts.join('\n').trim());
  const safeScript = script.replaceAll('</script', '<\\/script').replaceAll('<!--', '<\\!--');
  const page = fill(readFileSync(join(folder, 'index.html'), 'utf8'), {
    'script-hash': sha256(safeScript),
    'style-hash': sha256(style),
    style: `<style>${style}</style>`,
    script: `<script type="module">${safeScript}</script>`,
    licences: `<!--\n${notices.replaceAll('--', '- -').trim()}\n-->`,
  });
  mkdirSync(dirname(RECORDING), { recursive: true });
  writeFileSync(RECORDING, page);
  return { modules: chunks.flatMap(({ moduleIds }) => moduleIds), outputs: [RECORDING] };
}

/** Files with hashed names and nothing inline, for a strict content security policy. */
async function buildConsole(folder) {
  const { chunks } = await bundle(folder, {
    // Files with fixed names: the manifest of an installable page, and its icons.
    publicDir: resolve(folder, 'public'),
    outDir: resolve(CONSOLE),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rollupOptions: {
      input: { index: join(folder, 'index.html'), [WORKER]: join(folder, `${WORKER}.ts`) },
      // A service worker works for the folder that it is in, and keeps its name.
      output: { entryFileNames: ({ name }) => (name === WORKER ? '[name].js' : 'assets/[name]-[hash].js') },
    },
  });
  const outputs = readdirSync(CONSOLE, { recursive: true }).map((name) => join(CONSOLE, name));
  return { modules: chunks.flatMap(({ moduleIds }) => moduleIds), outputs };
}

async function bundle(folder, { publicDir = false, ...build }) {
  const vite = await import('vite');
  const result = await inProduction(() =>
    vite.build({
      root: resolve(folder),
      configFile: false,
      logLevel: 'warn',
      base: './',
      publicDir,
      plugins: [noNode],
      build: {
        target: TARGET,
        reportCompressedSize: false,
        chunkSizeWarningLimit: 1_000,
        license: { fileName: LICENCES },
        ...build,
      },
    }),
  );
  const { output } = Array.isArray(result) ? result[0] : result;
  const assets = (ending) =>
    output.filter(({ fileName }) => fileName.endsWith(ending)).map(({ source }) => String(source));
  return {
    chunks: output.filter(({ type }) => type === 'chunk'),
    styles: assets('.css'),
    notices: assets(LICENCES).join('\n'),
  };
}

/** Tests build pages too, and their NODE_ENV would produce development code that contains paths of this machine. */
async function inProduction(build) {
  const before = process.env.NODE_ENV;
  process.env.NODE_ENV = 'production';
  try {
    return await build();
  } finally {
    if (before === undefined) delete process.env.NODE_ENV;
    else process.env.NODE_ENV = before;
  }
}

/** Pages share code with Node, but a browser has none of Node's modules: failing the build is better than a broken page. */
const noNode = {
  name: 'no-node',
  enforce: 'pre',
  resolveId(source, importer) {
    if (isBuiltin(source)) throw new Error(`${importer} is in a page and imports ${source}, which is Node's`);
  },
};

function fill(template, parts) {
  return Object.entries(parts).reduce((text, [name, part]) => {
    const mark = `%${name}%`;
    if (!text.includes(mark)) throw new Error(`the template of the page has no ${mark}`);
    return text.replaceAll(mark, () => part);
  }, template);
}

function sha256(text) {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}

/** Packages are covered by the lockfile. */
function ownModules(ids) {
  const paths = ids.map((id) => relative(process.cwd(), id.split('?')[0]));
  return [...new Set(paths)].filter(
    (path) => !path.includes('node_modules') && !path.startsWith('..') && existsSync(path),
  );
}
