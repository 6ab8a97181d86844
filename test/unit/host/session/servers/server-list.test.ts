import { expect, test } from 'vitest';
import { ServerRoster } from '../../../../../src/host/session/servers/server-list.js';

const clock = { connect: async () => {} };
const files = { command: 'node', args: ['files.mjs'] };

test('tells given servers as a CLI is started with them, and which of them the host serves', () => {
  const roster = new ServerRoster({ clock, files });
  expect(roster.launched).toEqual({ clock: { type: 'sdk', name: 'clock' }, files });
  expect(roster.inProcess).toEqual({ clock: { type: 'sdk', name: 'clock' } });
  expect(roster.wireAdded).toEqual({});
});

test('keeps what was set at run time apart from what was given', () => {
  const roster = new ServerRoster({ clock });
  roster.replaceAdded({ files });
  expect(roster.added).toEqual({ files });
  expect(roster.wireAdded).toEqual({ files });
  expect(Object.keys(roster.all)).toEqual(['clock', 'files']);
  expect(roster.isGiven('clock') && !roster.isGiven('files')).toBe(true);
  roster.replaceAdded({});
  expect(roster.find('files')).toBeUndefined();
});

test('counts a given server that is set again as set at run time', () => {
  const roster = new ServerRoster({ files });
  const other = { command: 'deno' };
  roster.replaceAdded({ files: other });
  expect(roster.find('files')).toBe(other);
  expect(roster.launched).toEqual({});
});

test('forgets a server that is dropped, wherever it came from', () => {
  const roster = new ServerRoster({ clock });
  roster.replaceAdded({ files });
  roster.drop('clock');
  roster.drop('files');
  expect(roster.all).toEqual({});
});

test('may be empty', () => {
  expect(new ServerRoster().launched).toEqual({});
});
