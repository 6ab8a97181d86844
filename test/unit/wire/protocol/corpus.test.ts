import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { describe, expect, it } from 'vitest';
import { factAt } from '../../../../src/host/cli/ledger/facts.js';
import { readLedger } from '../../../../src/host/cli/ledger/ledger.js';
import { type RecordedVersion, recordedVersions } from '../../../../src/lab/conformance/recorded-versions.js';
import {
  cliRequests,
  hookEvents,
  hostRequests,
  messages,
} from '../../../../src/wire/protocol/catalog/catalog.js';
import { checkFrame, formatIssue } from '../../../../src/wire/protocol/catalog/check.schemas.js';
import type { CatalogEntry } from '../../../../src/wire/protocol/catalog/entries.js';
import { encodeObject } from '../../../../src/wire/protocol/encode.js';
import { decodeLine, type Frame, type WireObject } from '../../../../src/wire/protocol/frames.js';
import {
  cliRequestSchemas,
  hostRequestSchemas,
  messageSchemas,
} from '../../../../src/wire/protocol/schemas.js';

const CORPUS = join('test', 'corpus');

interface Manifest {
  readonly versions: Readonly<
    Record<
      RecordedVersion,
      {
        readonly reactions: Readonly<Record<string, string>>;
        readonly files: Readonly<Record<string, string>>;
      }
    >
  >;
}

const manifest: Manifest = JSON.parse(readFileSync(join(CORPUS, 'manifest.json'), 'utf8'));

interface Captured {
  readonly version: RecordedVersion;
  readonly path: string;
  readonly group: string;
  readonly name: string;
  readonly text: string;
  readonly raw: WireObject;
}

const corpus: Captured[] = recordedVersions.flatMap((version) =>
  filesBelow(join(CORPUS, version)).map((path) => {
    const [group = '', folder = ''] = path.split('/');
    const text = readFileSync(join(CORPUS, version, path), 'utf8');
    return { version, path, group, name: folder.replace('.', '/'), text, raw: JSON.parse(text) };
  }),
);

/** What the catalog calls reachable offline but the capture does not reach, with the reason. */
const pending: readonly { version: RecordedVersion; group: string; name: string; reason: string }[] = [
  {
    version: '2.1.17',
    group: 'messages',
    name: 'system/task_notification',
    reason: 'it comes when a task is stopped, which this version cannot be asked for in a capture',
  },
];

/** Host requests that are never sent to a version that serves them. */
const notSent = {
  '2.0.73': [],
  '2.1.17': [],
  // They contact the vendor's services.
  '2.1.326': [
    'claude_authenticate',
    'claude_oauth_callback',
    'remote_control',
    'submit_feedback',
    'submit_survey_feedback',
    'ultrareview_launch',
  ],
} as const satisfies Record<RecordedVersion, readonly string[]>;

const entriesOf: Readonly<Record<string, readonly CatalogEntry[]>> = {
  answers: Object.values(hostRequests),
  requests: Object.values(cliRequests).filter(({ name }) => name !== 'hook_callback'),
  hooks: Object.values(hookEvents),
  messages: Object.values(messages),
};

/** What the ledger calls the facts about each group. */
const kindOf: Readonly<Record<string, string>> = {
  answers: 'request',
  requests: 'cli-request',
  hooks: 'hook-event',
  messages: 'message',
};

describe('the corpus', () => {
  it('is exactly what the capture script wrote', () => {
    for (const version of recordedVersions) {
      const files = corpus.filter((file) => file.version === version);
      const sealed = Object.fromEntries(files.map(({ path, text }) => [path, hash(text)]));
      expect(sealed).toEqual(manifest.versions[version].files);
    }
    expect(corpus.length).toBeGreaterThan(300);
  });

  it('decodes to the kind of frame in its folder name', () => {
    const kinds = corpus.map(({ group, raw }) => `${group} ${decodeLine(JSON.stringify(raw)).kind}`);
    expect([...new Set(kinds)].sort()).toEqual([
      'answers refusal',
      'answers success',
      'control cancel',
      'control keep-alive',
      'control refusal',
      'hooks request',
      'messages message',
      'requests request',
    ]);
  });

  it('has nothing that the catalog does not describe', () => {
    const issues = corpus.flatMap(({ version, path, group, name, raw }) => {
      const answerTo = group === 'answers' ? { answerTo: name } : {};
      const found = checkFrame(raw, { from: 'cli', ...answerTo });
      return found.map((issue) => `${version}/${path} ${formatIssue(issue)}`);
    });
    expect(issues).toEqual([]);
  });

  it('passes its schemas without losing or changing anything', () => {
    for (const { group, name, raw, path } of corpus) {
      const frame = decodeLine(JSON.stringify(raw));
      const [schema, value] = schemaAndValue(group, name, frame);
      if (schema !== undefined) expect(schema.parse(value), path).toEqual(value);
    }
  });

  it('encodes back to the same value', () => {
    for (const { raw, path } of corpus) expect(JSON.parse(encodeObject(raw)), path).toEqual(raw);
  });

  it('contains structure only: no prose, no path, no time, no long text', () => {
    const telling = corpus.flatMap(({ path, raw }) =>
      stringsIn(raw)
        .filter(
          (text) => /\s/.test(text) || text.length > 60 || /^\/(?!path$)|^20(?!26-01-01)\d\d-.*T/.test(text),
        )
        .map((text) => `${path}: ${text}`),
    );
    expect(telling).toEqual([]);
  });
});

describe('the catalog, the ledger and the corpus', () => {
  it('agree that everything met offline was captured in every version that has it', () => {
    const missing = Object.entries(entriesOf).flatMap(([group, entries]) =>
      entries
        .filter(({ reach }) => reach === 'offline')
        .flatMap(({ name }) =>
          recordedVersions
            .filter((version) => ['served', 'seen', 'pass'].includes(factOf(version, group, name)))
            .filter((version) => !isCaptured(version, group, name) && !isPending(version, group, name))
            .map((version) => `${version} ${group} ${name}`),
        ),
    );
    expect(missing).toEqual([]);
  });

  it('agree that everything captured is in a version that has it', () => {
    const surplus = corpus
      .filter(({ group }) => group !== 'control')
      .filter(({ version, group, name }) =>
        ['', 'no', 'fail', 'silent', 'unknown'].includes(factOf(version, group, name)),
      )
      .map(({ version, path }) => `${version}/${path}`);
    expect(surplus).toEqual([]);
  });

  it('have nothing pending that was captured in the meantime', () => {
    expect(pending.filter(({ version, group, name }) => isCaptured(version, group, name))).toEqual([]);
    for (const { reason } of pending) expect(reason).not.toBe('');
  });

  it.each(recordedVersions)('agree on how %s reacts to every host request', (version) => {
    const { reactions } = manifest.versions[version];
    const skipped: readonly string[] = notSent[version];
    const expected = Object.keys(hostRequests).map((name) => {
      if (skipped.includes(name)) return [name, 'not sent'];
      const fact = factOf(version, 'answers', name);
      return [name, fact === 'silent' || fact === 'unknown' ? fact : 'served'];
    });
    const met = Object.keys(hostRequests).map((name) => [name, asReaction(reactions[name])]);
    expect(Object.fromEntries(met)).toEqual(Object.fromEntries(expected));
  });

  it('agree on which answers carry a value', () => {
    for (const { name, answer, reach } of Object.values(hostRequests)) {
      const met = recordedVersions.map((version) => manifest.versions[version].reactions[name]);
      if (answer === 'ack') expect(met, name).not.toContain('value');
      else if (reach === 'offline') expect(met, name).toContain('value');
    }
  });
});

function factOf(version: string, group: string, name: string): string {
  return factAt(readLedger(), `${kindOf[group]}:${name}`, version) ?? '';
}

function isCaptured(version: RecordedVersion, group: string, name: string): boolean {
  return corpus.some((file) => file.version === version && file.group === group && file.name === name);
}

function isPending(version: RecordedVersion, group: string, name: string): boolean {
  return pending.some((each) => each.version === version && each.group === group && each.name === name);
}

function asReaction(reaction: string | undefined): string {
  if (reaction === undefined) return 'not sent';
  if (reaction === 'silent') return 'silent';
  return reaction === 'unsupported' ? 'unknown' : 'served';
}

interface Parser {
  parse(value: unknown): unknown;
}

function schemaAndValue(group: string, name: string, frame: Frame): [Parser | undefined, unknown] {
  if (frame.kind === 'message') return [lookUp(messageSchemas, name), frame.message];
  if (frame.kind === 'success')
    return [lookUp<{ answer: Parser }>(hostRequestSchemas, name)?.answer, frame.value ?? {}];
  if (frame.kind !== 'request') return [undefined, undefined];
  const subtype = group === 'hooks' ? 'hook_callback' : name;
  const { subtype: _, ...params } = frame.body;
  return [lookUp<{ params: Parser }>(cliRequestSchemas, subtype)?.params, params];
}

function lookUp<Value>(map: object, name: string): Value | undefined {
  return new Map<string, Value>(Object.entries(map)).get(name);
}

function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return files.map((file) => file.slice(folder.length + 1).replaceAll(sep, '/')).sort();
}

function hash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}

function stringsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...stringsIn(inner)]);
}
