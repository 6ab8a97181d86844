// Adds to the lockfiles the platform packages that the registry in use did not carry. A mirror that keeps
// only some platforms leaves them out, and `npm ci` then refuses the lockfile. `--check` only tells.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { lockedFolders } from './lib/side-packages.mjs';

const check = process.argv.includes('--check');
let incomplete = 0;

for (const folder of lockedFolders) {
  const path = `${folder}/package-lock.json`;
  if (!existsSync(path)) continue;
  const lock = JSON.parse(readFileSync(path, 'utf8'));
  const missing = missingPackages(lock.packages);
  if (missing.length === 0) continue;
  if (check) {
    incomplete += 1;
    const names = missing.map(([place]) => place.replace('node_modules/', '')).join(', ');
    console.error(`${path} lacks ${names}: run node scripts/complete-lockfiles.mjs`);
    continue;
  }
  const packages = Object.entries(lock.packages).concat(missing).sort(byPlace);
  writeFileSync(path, `${JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }, null, 2)}\n`);
  console.log(`completed ${path} with ${missing.length} platform packages`);
}
process.exitCode = incomplete === 0 ? 0 : 1;

function missingPackages(packages) {
  return Object.entries(packages).flatMap(([place, entry]) =>
    Object.entries(entry.optionalDependencies ?? {})
      .filter(([name]) => !isLocked(packages, place, name))
      .map(([name, version]) => [`node_modules/${name}`, platformEntry(name, version, entry)]),
  );
}

function isLocked(packages, place, name) {
  return `${place}/node_modules/${name}` in packages || `node_modules/${name}` in packages;
}

/** What npm would write, read from the package's name; without a hash, since nobody could fetch it. */
function platformEntry(name, version, parent) {
  const target = /-(android|darwin|freebsd|linux|openharmony|win32|wasm32)-(\w+)(?:-(\w+))?$/.exec(name);
  if (target === null || !/^\d/.test(version)) {
    throw new Error(`${name}@${version} is missing from a lockfile, and its name does not tell its platform`);
  }
  const [, system, cpu, abi = ''] = target;
  const entry = system === 'wasm32' ? { cpu: ['wasm32'] } : { cpu: [cpu], os: [system] };
  const libc = system === 'linux' && (/^musl/.test(abi) ? 'musl' : abi === 'gnu' ? 'glibc' : undefined);
  return {
    version,
    ...(parent.dev ? { dev: true } : {}),
    ...(libc ? { libc: [libc] } : {}),
    ...entry,
    optional: true,
  };
}

function byPlace([a], [b]) {
  return a < b ? -1 : 1;
}
