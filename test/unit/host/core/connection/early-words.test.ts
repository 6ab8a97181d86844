import { describe, expect, test } from 'vitest';
import { EarlyWords } from '../../../../../src/host/core/connection/early-words.js';

const noise = (line: string) => ({ code: 'NOISE_LINE', message: 'noise', line }) as const;

describe('what a CLI says before the handshake is over', () => {
  test('is kept: result texts, and lines that are not protocol', () => {
    const words = new EarlyWords();
    words.noteResult({ type: 'result', errors: ['No conversation found', 5] });
    words.noteResult({ type: 'result', result: 'Bad key' });
    words.noteDiagnostic(noise('Welcome!'));
    words.noteDiagnostic({ code: 'REQUESTS_HIDDEN', message: 'not this' });
    expect([words.results, words.noise]).toEqual(['No conversation found\nBad key', ['Welcome!']]);
  });

  test('is bounded', () => {
    const words = new EarlyWords();
    for (let line = 0; line < 50; line += 1) {
      words.noteDiagnostic(noise('x'.repeat(1_000)));
      words.noteResult({ type: 'result', result: 'again' });
    }
    expect(words.noise).toHaveLength(10);
    expect(words.noise[0]).toHaveLength(200);
    expect(words.results.split('\n').length).toBeLessThan(20);
  });

  test('is dropped, and no longer collected, after that', () => {
    const words = new EarlyWords();
    words.noteDiagnostic(noise('before'));
    words.stop();
    words.noteDiagnostic(noise('after'));
    words.noteResult({ type: 'result', result: 'after' });
    expect([words.results, words.noise]).toEqual(['', []]);
  });
});
