import { describe, expect, test } from 'vitest';
import { questionText, readAnswer } from '../../../../src/command/asking/question-form.js';
import type { Question } from '../../../../src/host/session/prompts/question-prompt.js';
import { PLAIN_LOOK } from '../../../support/recorded-screen.js';

const question = (multiSelect: boolean, labels = ['Red', 'Green', 'Blue']): Question => ({
  question: 'Which colour?',
  header: 'Colour',
  multiSelect,
  options: labels.map((label) => ({ label, description: label === 'Red' ? 'like a rose' : label })),
});

test('a question is shown with its options, and with descriptions if they say more', () => {
  expect(questionText(question(false), PLAIN_LOOK)).toBe(
    'Colour: Which colour?\n  1) Red - like a rose\n  2) Green\n  3) Blue',
  );
});

describe('one answer', () => {
  test.each([
    ['2', 'Green'],
    [' blue ', 'Blue'],
    ['Violet', { other: 'Violet' }],
    ['1, 2', { other: '1, 2' }],
  ])('"%s" is understood', (line, answer) => {
    expect(readAnswer(line, question(false))).toEqual({ answer });
  });

  test.each([
    ['', 'No input.'],
    ['4', 'There is no option 4: choose 1 to 3.'],
    ['0', 'There is no option 0: choose 1 to 3.'],
  ])('"%s" is asked again', (line, problem) => {
    expect(readAnswer(line, question(false))).toEqual({ problem });
  });

  test('a number is free text if there are no options', () => {
    expect(readAnswer('42', question(false, []))).toEqual({ answer: { other: '42' } });
  });
});

describe('several answers', () => {
  test.each([
    ['3,1', ['Blue', 'Red']],
    ['1 3', ['Red', 'Blue']],
    ['2, 2', ['Green']],
    ['red, Green', ['Red', 'Green']],
    ['something else', [{ other: 'something else' }]],
    ['red, and more', [{ other: 'red, and more' }]],
  ])('"%s" is understood', (line, answer) => {
    expect(readAnswer(line, question(true))).toEqual({ answer });
  });

  test('an invalid number is asked again, also among others', () => {
    expect(readAnswer('1,7', question(true))).toEqual({
      problem: 'There is no option 7: choose 1 to 3.',
    });
  });
});
