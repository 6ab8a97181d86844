// Finds a nats-server for the fleet tests, or downloads one: from the newest Debian suite, unpacked but not installed.
import { execFileSync } from 'node:child_process';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { runQuietly } from './run.mjs';

/** A suite with a recent enough server; older ones support neither TTLs per key nor checks across subjects. */
const SUITE = 'forky';
/** One with such an older server, which must be refused. */
const OLD_SUITE = 'bookworm';
const OLDEST = [2, 12];
const UPDATE_MS = 90_000;
const DOWNLOAD_MS = 60_000;

const cachedFrom = (suite) =>
  join(
    process.env.XDG_CACHE_HOME || join(homedir(), '.cache'),
    'coxswain',
    `nats-server-${suite}-${process.arch}`,
  );

/** The path of an existing server: `COXSWAIN_NATS_SERVER`, one in PATH, or the one downloaded before. */
export function findNatsServer() {
  const named = process.env.COXSWAIN_NATS_SERVER;
  const inPath = (process.env.PATH ?? '').split(delimiter).map((folder) => join(folder, 'nats-server'));
  return [...(named ? [named] : inPath), cachedFrom(SUITE)].find((path) => isNewEnough(path));
}

/** The path of an old server that was got before. */
export function findOldNatsServer() {
  const path = cachedFrom(OLD_SUITE);
  return versionOf(path) === undefined ? undefined : path;
}

/** Downloads a server if there is none; returns `{ path }`, or `{ reason }` if that fails. */
export async function ensureNatsServer() {
  const found = findNatsServer();
  return found === undefined ? get(SUITE, isNewEnough) : { path: found };
}

/** The same for a server that is too old for a fleet. */
export async function ensureOldNatsServer() {
  const found = findOldNatsServer();
  return found === undefined ? get(OLD_SUITE, (path) => versionOf(path) !== undefined) : { path: found };
}

async function get(suite, isRight) {
  if (process.platform !== 'linux') return { reason: 'a nats-server is got for Debian only' };
  const folder = mkdtempSync(join(tmpdir(), 'coxswain-nats-'));
  try {
    console.error(`getting nats-server from Debian ${suite} (once) …`);
    const path = await unpacked(folder, suite);
    if (!isRight(path)) throw new Error(`the nats-server of ${suite} does not run here or is too old`);
    return { path: keep(path, cachedFrom(suite)) };
  } catch (error) {
    return { reason: error.message };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function unpacked(folder, wanted) {
  const [sources, lists] = ['sources', 'lists'].map((name) => join(folder, name));
  mkdirSync(sources);
  mkdirSync(join(lists, 'partial'), { recursive: true });
  writeSource(sources, wanted);
  const apart = {
    'Dir::Etc::SourceList': '/dev/null',
    'Dir::Etc::SourceParts': sources,
    'Dir::State::Lists': lists,
    'Acquire::Languages': 'none',
    'Acquire::Retries': '1',
    'Acquire::http::Timeout': '15',
    'Acquire::https::Timeout': '15',
    'APT::Sandbox::User': process.getuid() === 0 ? 'root' : '',
  };
  const options = Object.entries(apart).flatMap(([name, value]) => ['-o', `${name}=${value}`]);
  // Without this, a failed download of a list is only a warning.
  await does('apt-get', [...options, '-o', 'APT::Update::Error-Mode=any', 'update'], folder, UPDATE_MS);
  await does('apt-get', [...options, 'download', 'nats-server'], folder, DOWNLOAD_MS);
  const file = readdirSync(folder).find((name) => name.endsWith('.deb'));
  if (file === undefined) throw new Error('apt-get downloaded no package');
  await does('dpkg', ['-x', file, 'files'], folder, DOWNLOAD_MS);
  const server = ['usr/sbin', 'usr/bin'].map((place) => join(folder, 'files', place, 'nats-server'));
  const path = server.find((each) => existsSync(each));
  if (path === undefined) throw new Error('the package has no nats-server');
  return path;
}

/** Appears under its name when complete: two test runs may download it at once. */
function keep(path, cached) {
  mkdirSync(join(cached, '..'), { recursive: true });
  const temporary = `${cached}.${process.pid}`;
  writeFileSync(temporary, readFileSync(path), { mode: 0o755 });
  renameSync(temporary, cached);
  return cached;
}

/** Copies the machine's own Debian source, with the other suite. */
function writeSource(folder, wanted) {
  const release = existsSync('/etc/os-release') ? readFileSync('/etc/os-release', 'utf8') : '';
  const suite = /^VERSION_CODENAME=(\w+)/m.exec(release)?.[1];
  if (!/^ID=debian$/m.test(release) || suite === undefined) throw new Error('this machine is not a Debian');
  for (const text of sourceTexts()) {
    for (const stanza of text.split(/\n\s*\n/)) {
      if (!new RegExp(`^Suites:.*\\b${suite}(\\s|$)`, 'm').test(stanza)) continue;
      const other = stanza.replace(/^Suites:.*$/m, `Suites: ${wanted}`);
      return writeFileSync(
        join(folder, 'other.sources'),
        `${other.replace(/^Components:.*$/m, 'Components: main')}\n`,
      );
    }
    const line = new RegExp(`^deb\\s+(\\[[^\\]]*\\]\\s+)?(\\S+)\\s+${suite}\\s.*$`, 'm').exec(text);
    if (line === null) continue;
    return writeFileSync(join(folder, 'other.list'), `deb ${line[1] ?? ''}${line[2]} ${wanted} main\n`);
  }
  throw new Error(`no apt source of ${suite} to copy`);
}

function sourceTexts() {
  const folder = '/etc/apt/sources.list.d';
  const names = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
  return ['/etc/apt/sources.list', ...names]
    .filter((path) => /\.(list|sources)$/.test(path) && existsSync(path))
    .map((path) => readFileSync(path, 'utf8'));
}

async function does(command, args, cwd, timeout) {
  const { code, output } = await runQuietly([
    command,
    command,
    args,
    { cwd, timeout, env: { ...process.env, LC_ALL: 'C' } },
  ]);
  if (code === 0) return;
  const last = output
    .trim()
    .split('\n')
    .filter((line) => /^[EW]:|error/i.test(line))
    .at(-1);
  throw new Error(`${command} ${args.at(-1)} failed${last === undefined ? '' : `: ${last}`}`);
}

function isNewEnough(path) {
  const [major, minor] = versionOf(path) ?? [0, 0];
  return major > OLDEST[0] || (major === OLDEST[0] && minor >= OLDEST[1]);
}

/** Its version; undefined where it does not run. */
function versionOf(path) {
  try {
    accessSync(path, constants.X_OK);
    const text = execFileSync(path, ['--version'], { encoding: 'utf8', timeout: 10_000 });
    return (/v(\d+)\.(\d+)/.exec(text) ?? []).slice(1).map(Number);
  } catch {
    return undefined;
  }
}
