import { beforeEach, expect, test } from 'vitest';
import type { Login } from '../../../../../src/host/cli/login/login.js';
import { StartSpread } from '../../../../../src/host/cli/login/start-spread.js';
import { ManualClock } from '../../../../support/manual-clock.js';

const MINUTE = 60_000;
const BEGAN = 1_000_000_000_000;

let clock: ManualClock;
let spread: StartSpread;
let expiresAt: number | undefined;
let renewed: boolean;
let started: string[];
const now = () => BEGAN + clock.now();

beforeEach(() => {
  clock = new ManualClock();
  spread = new StartSpread({ clock, now });
  expiresAt = now() + MINUTE;
  renewed = false;
  started = [];
});

function start(name: string, codes: string[] = [], file = '/login'): void {
  const login = {
    file,
    get expiresAt() {
      return expiresAt;
    },
    isBeingRenewed: () => renewed,
  } as Login;
  void spread.pass(login, ({ code }) => codes.push(code)).then(() => started.push(name));
}

test('near its end, the first CLI starts and the others wait until it has renewed the login', async () => {
  const codes: string[] = [];
  for (const name of ['one', 'two', 'three']) start(name, codes);
  await clock.pass(1_000);
  expect(started).toEqual(['one']);
  expect(codes).toEqual(['LOGIN_AWAITED', 'LOGIN_AWAITED']);
  renewed = true;
  await clock.pass(20_000);
  expect(started).toEqual(['one']);
  renewed = false;
  expiresAt = now() + 480 * MINUTE;
  await clock.pass(1_000);
  expect(started).toEqual(['one', 'two', 'three']);
  expect(clock.size).toBe(0);
});

test('a login that lasts, or that is not in a file, delays nobody', async () => {
  expiresAt = now() + 6 * MINUTE;
  for (const name of ['one', 'two']) start(name);
  await clock.pass(0);
  expect(started).toEqual(['one', 'two']);
  expiresAt = undefined;
  for (const name of ['three', 'four']) start(name);
  await clock.pass(0);
  expect(started).toEqual(['one', 'two', 'three', 'four']);
});

test('a login that nobody renews delays the others once, for six seconds', async () => {
  for (const name of ['one', 'two', 'three']) start(name);
  await clock.pass(5_000);
  expect(started).toEqual(['one']);
  await clock.pass(2_000);
  expect(started).toEqual(['one', 'two', 'three']);
  start('four');
  await clock.pass(0);
  expect(started).toHaveLength(4);
});

test('a CLI of another program that renews the login is awaited too; then one goes first', async () => {
  renewed = true;
  for (const name of ['one', 'two']) start(name);
  await clock.pass(10_000);
  expect(started).toEqual([]);
  renewed = false;
  await clock.pass(1_000);
  expect(started).toEqual(['one']);
});

test('the wait ends after 35 seconds, whatever the lock says', async () => {
  renewed = true;
  start('one');
  await clock.pass(34_000);
  expect(started).toEqual([]);
  await clock.pass(2_000);
  expect(started).toEqual(['one']);
  expect(clock.size).toBe(0);
});

test('the next time the login comes near its end, one goes first again', async () => {
  for (const name of ['one', 'two']) start(name);
  await clock.pass(1_000);
  expiresAt = now() + 480 * MINUTE;
  await clock.pass(480 * MINUTE);
  expect(started).toEqual(['one', 'two']);
  for (const name of ['three', 'four']) start(name);
  await clock.pass(1_000);
  expect(started).toEqual(['one', 'two', 'three']);
});

test('logins of other folders do not wait for each other', async () => {
  start('one');
  start('other', [], '/other');
  await clock.pass(0);
  expect(started).toEqual(['one', 'other']);
});
