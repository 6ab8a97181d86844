import { describe, expect, test } from 'vitest';
import { deferred } from '../../../../src/wire/util/deferred.js';
import { recordedScreen } from '../../../support/recorded-screen.js';

const ERASE = '\r\u001b[2K';
const terminal = { outIsTty: true, errIsTty: true };

describe('a terminal that shows everything', () => {
  test('removes the live line before anything is written, and draws it again after', () => {
    const { screen, written } = recordedScreen(terminal);
    screen.status('busy');
    screen.out('text\n');
    screen.note('a note');
    expect(written.all).toBe(`${ERASE}busy${ERASE}text\n${ERASE}busy${ERASE}a note\n${ERASE}busy`);
  });

  test('gets no live line in the middle of a line', () => {
    const { screen, written } = recordedScreen(terminal);
    screen.out('half a');
    screen.status('busy');
    screen.out(' line\n');
    expect(written.all).toBe(`half a line\n${ERASE}busy`);
  });

  test('gets a note on a separate line, while the data stays unchanged', () => {
    const { screen, written } = recordedScreen(terminal);
    screen.out('half');
    screen.note('a note');
    screen.out(' line\n');
    expect(written).toEqual({ out: 'half line\n', err: '\na note\n', all: 'half\na note\n line\n' });
  });

  test('is not written to if the live line stays the same', () => {
    const { screen, written } = recordedScreen(terminal);
    screen.status('busy');
    screen.status('busy');
    screen.status('');
    expect(written.all).toBe(`${ERASE}busy${ERASE}`);
  });

  test('gets no line that would wrap', () => {
    const { screen, written } = recordedScreen({ ...terminal, columns: 5 });
    screen.status('0123456789');
    expect(written.all).toBe(`${ERASE}0123`);
  });
});

describe('asking', () => {
  test('hides the live line until the person has answered', async () => {
    const { screen, written } = recordedScreen(terminal);
    const line = deferred<string | undefined>();
    const asked = screen.ask('name: ', () => line.promise);
    screen.status('busy');
    expect(written.all).toBe('name: ');
    line.resolve('me');
    expect(await asked).toBe('me');
    expect(written.all).toBe(`name: ${ERASE}busy`);
  });

  test('ends the line if no answer came', async () => {
    const { screen, written } = recordedScreen(terminal);
    expect(await screen.ask('name: ', () => Promise.resolve(undefined))).toBeUndefined();
    expect(written.all).toBe('name: \n');
  });

  test('shows the live line again even if reading failed', async () => {
    const { screen, written } = recordedScreen(terminal);
    await expect(screen.ask('name: ', () => Promise.reject(new Error('gone')))).rejects.toThrow('gone');
    screen.status('busy');
    expect(written.all).toBe(`name: ${ERASE}busy`);
  });
});

test('a live line on stderr is independent of an unfinished line in a file', () => {
  const { screen, written } = recordedScreen({ errIsTty: true });
  screen.out('half');
  screen.status('busy');
  expect(written).toMatchObject({ out: 'half', err: `${ERASE}busy` });
});

test('without a terminal there is no live line at all', () => {
  const { screen, written } = recordedScreen();
  screen.status('busy');
  screen.out('text');
  screen.note('a note');
  expect(written).toMatchObject({ out: 'text', err: 'a note\n' });
});
