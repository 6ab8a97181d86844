import { expect, test } from 'vitest';
import { ServerList } from '../../../../../src/host/session/servers/server-list.js';

const clock = { connect: async () => {} };
const files = { command: 'node', args: ['files.mjs'] };

test('returns the given servers that a CLI is started with, and those that the host serves', () => {
  const list = new ServerList({ clock, files });
  expect(list.launched).toEqual({ clock: { type: 'sdk', name: 'clock' }, files });
  expect(list.inProcess).toEqual({ clock: { type: 'sdk', name: 'clock' } });
  expect(list.wireAdded).toEqual({});
});

test('keeps servers set at run time separate from given ones', () => {
  const list = new ServerList({ clock });
  list.replaceAdded({ files });
  expect(list.added).toEqual({ files });
  expect(list.wireAdded).toEqual({ files });
  expect(Object.keys(list.all)).toEqual(['clock', 'files']);
  expect(list.isGiven('clock') && !list.isGiven('files')).toBe(true);
  list.replaceAdded({});
  expect(list.find('files')).toBeUndefined();
});

test('treats a given server that is set again as set at run time', () => {
  const list = new ServerList({ files });
  const other = { command: 'deno' };
  list.replaceAdded({ files: other });
  expect(list.find('files')).toBe(other);
  expect(list.launched).toEqual({});
});

test('forgets a dropped server, wherever it came from', () => {
  const list = new ServerList({ clock });
  list.replaceAdded({ files });
  list.drop('clock');
  list.drop('files');
  expect(list.all).toEqual({});
});

test('may be empty', () => {
  expect(new ServerList().launched).toEqual({});
});
