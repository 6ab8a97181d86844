import { expect, test } from 'vitest';
import { lookFor } from '../../../../src/command/terminal/look.js';

const look = (env: Record<string, string>, isTty = true, platform = 'linux') =>
  lookFor({ isTty, env, platform });
const hasColour = (env: Record<string, string>, isTty?: boolean) => look(env, isTty).red('x') !== 'x';

test.each([
  ['a terminal', {}, true, true],
  ['a pipe', {}, false, false],
  ['NO_COLOR', { NO_COLOR: '1' }, true, false],
  ['an empty NO_COLOR', { NO_COLOR: '' }, true, true],
  ['TERM=dumb', { TERM: 'dumb' }, true, false],
  ['FORCE_COLOR on a pipe', { FORCE_COLOR: '1' }, false, true],
  ['FORCE_COLOR=0', { FORCE_COLOR: '0' }, true, false],
  ['FORCE_COLOR against NO_COLOR', { FORCE_COLOR: '1', NO_COLOR: '1' }, false, true],
])('with %s colours are used or not', (_, env, isTty, expected) => {
  expect(hasColour(env, isTty)).toBe(expected);
});

test.each([
  ['a terminal', {}, true, true],
  ['a pipe', {}, false, false],
  ['TERM=dumb', { TERM: 'dumb' }, true, false],
  ['CI', { CI: 'true' }, true, false],
  ['CI=false', { CI: 'false' }, true, true],
  ['colours forced on a pipe', { FORCE_COLOR: '1' }, false, false],
])('with %s a line is redrawn or not', (_, env, isTty, expected) => {
  expect(look(env, isTty).live).toBe(expected);
});

test.each([
  ['a UTF-8 locale', { LANG: 'de_DE.UTF-8' }, 'linux', '✓'],
  ['LC_ALL over LANG', { LANG: 'C.UTF-8', LC_ALL: 'C' }, 'linux', 'ok'],
  ['no locale', {}, 'linux', 'ok'],
  ['the new Windows terminal', { WT_SESSION: 'x' }, 'win32', '✓'],
  ['the old Windows console', { LANG: 'C.UTF-8' }, 'win32', 'ok'],
])('with %s the symbols are those it can show', (_, env, platform, good) => {
  expect(look(env, true, platform).good).toBe(good);
});
