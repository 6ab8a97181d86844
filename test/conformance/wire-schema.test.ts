import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import * as z from 'zod';
// @ts-expect-error: a script, without types
import { wireSchema } from '../../scripts/lib/wire-schema.mjs';
import { recordedVersions } from '../../src/lab/conformance/recorded-versions.js';
import { isObject, type WireObject } from '../../src/wire/protocol/frames.js';

interface WireSchema {
  readonly $defs: Readonly<Record<string, WireObject>>;
}

/** The definition that a captured frame must match, with the relevant part of the frame. */
function definitionOf(path: string, frame: WireObject): readonly [name: string, value: unknown][] {
  const [kind = '', name = ''] = path.split('/');
  const { request, response } = frame;
  if (kind === 'messages') return [[`cli message ${name.replace('.', '/')}`, frame]];
  if (kind === 'requests') return [[`cli request ${name}`, frame]];
  if (kind === 'control') return [[`envelope ${name}`, frame]];
  if (kind === 'hooks') return [[`hook input ${name}`, isObject(request) ? request.input : undefined]];
  const envelope: [string, unknown] = ['envelope control_response', frame];
  if (!isObject(response) || response.subtype !== 'success') return [envelope];
  return [envelope, [`cli answer ${name}`, response.response ?? {}]];
}

describe.each(recordedVersions)('the JSON Schema of %s', (version) => {
  const schema = wireSchema(version) as WireSchema;
  const folder = join('test/corpus', version);
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.replaceAll('\\', '/'));

  test('accepts every frame captured from it', () => {
    const misfits = files.flatMap((path) => {
      const frame = JSON.parse(readFileSync(join(folder, path), 'utf8')) as WireObject;
      return definitionOf(path, frame).flatMap(([name, value]) => {
        const definition = schema.$defs[name];
        if (definition === undefined) return [`${path}: there is no ${name}`];
        const { success } = z.fromJSONSchema(definition).safeParse(value);
        return success ? [] : [`${path} does not fit ${name}`];
      });
    });
    expect(files.length).toBeGreaterThan(50);
    expect(misfits).toEqual([]);
  });

  test('refers only to definitions that it has', () => {
    const refs = [...JSON.stringify(schema).matchAll(/"\$ref":"#\/\$defs\/([^"]+)"/g)].map(([, name = '']) =>
      decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~'),
    );
    expect(refs.filter((name) => !(name in schema.$defs))).toEqual([]);
  });
});

test('the JSON Schema refuses invalid frames', () => {
  const schema = wireSchema('2.1.326') as WireSchema;
  const init = z.fromJSONSchema(schema.$defs['cli message system/init'] ?? {});
  expect(init.safeParse({ type: 'system', subtype: 'init' }).success).toBe(false);
});
