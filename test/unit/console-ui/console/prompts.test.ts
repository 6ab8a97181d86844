import { describe, expect, it } from 'vitest';
import { modesWith } from '../../../../console-ui/console/header/modes.js';
import { readEdited, textFields } from '../../../../console-ui/console/prompts/edited-input.js';
import {
  defaultsOf,
  fieldsOf,
  readFilled,
} from '../../../../console-ui/console/prompts/elicitation-fields.js';
import {
  answersOf,
  choose,
  chooseOther,
  isAnswered,
  NOTHING,
} from '../../../../console-ui/console/prompts/question-answers.js';

const options = ['Red', 'Green', 'Blue'].map((label) => ({ label, description: '' }));
const one = { question: 'Which?', header: '', multiSelect: false, options };
const many = { question: 'Which ones?', header: '', multiSelect: true, options };

describe('the answers to questions', () => {
  it('are one option, the last one selected', () => {
    const chosen = choose(one, choose(one, NOTHING, 'Red'), 'Blue');
    expect(answersOf([one], [chosen])).toEqual({ 'Which?': 'Blue' });
  });

  it('are several options in the order of the form; selecting one again deselects it', () => {
    const chosen = ['Blue', 'Red', 'Green', 'Green'].reduce(
      (before, label) => choose(many, before, label),
      NOTHING,
    );
    expect(answersOf([many], [chosen])).toEqual({ 'Which ones?': ['Red', 'Blue'] });
  });

  it('can be free text, instead of an option or next to several', () => {
    const own = { ...chooseOther(one, choose(one, NOTHING, 'Red'), true), other: ' Pink ' };
    expect(answersOf([one], [own])).toEqual({ 'Which?': { other: 'Pink' } });
    const beside = { ...chooseOther(many, choose(many, NOTHING, 'Red'), true), other: 'Pink' };
    expect(answersOf([many], [beside])).toEqual({ 'Which ones?': ['Red', { other: 'Pink' }] });
  });

  it('are missing while nothing is selected, or free text is empty', () => {
    const empty = { ...chooseOther(one, NOTHING, true), other: '  ' };
    expect([isAnswered(NOTHING), isAnswered(empty)]).toEqual([false, false]);
    expect(answersOf([one, many], [empty, NOTHING])).toEqual({});
  });
});

describe('the input of a tool', () => {
  const input = { command: 'ls "a b"', timeout: 5, env: { A: '1' } };

  it('is returned unchanged if nothing was edited', () => {
    expect(readEdited(input, textFields(input)).value).toEqual(input);
  });

  it('keeps strings as strings, even if they look like numbers', () => {
    expect(readEdited(input, { ...textFields(input), command: '7' }).value).toEqual({
      ...input,
      command: '7',
    });
  });

  it('is not sent while a value is not JSON', () => {
    const { value, problems } = readEdited(input, { ...textFields(input), env: '{' });
    expect(value).toBeUndefined();
    expect(Object.keys(problems)).toEqual(['env']);
  });
});

describe('the form of an MCP server', () => {
  const schema = {
    type: 'object',
    required: ['name', 'count', 'tags'],
    properties: {
      name: { type: 'string', title: 'Name', minLength: 2 },
      count: { type: 'integer', minimum: 1, maximum: 9 },
      mail: { type: 'string', format: 'email' },
      colour: { type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'Green'] },
      size: { oneOf: [{ const: 's', title: 'Small' }] },
      tags: { type: 'array', items: { type: 'string', enum: ['x', 'y'] }, minItems: 1 },
      agree: { type: 'boolean', default: true },
      odd: 'not a schema',
    },
  };
  const fields = fieldsOf(schema, ['count']);

  it('has a field for each property, in the preferred order', () => {
    expect(fields.map(({ name, kind }) => [name, kind])).toEqual([
      ['count', 'number'],
      ['name', 'text'],
      ['mail', 'text'],
      ['colour', 'choice'],
      ['size', 'choice'],
      ['tags', 'choices'],
      ['agree', 'boolean'],
    ]);
    expect(fields.find(({ name }) => name === 'colour')?.options).toEqual([
      { value: 'r', label: 'Red' },
      { value: 'g', label: 'Green' },
    ]);
  });

  it('is sent with values of the right types, without empty fields', () => {
    const filled = { ...defaultsOf(fields), name: 'Al', count: '3', colour: 'g', tags: ['x'] };
    expect(readFilled(fields, filled)).toEqual({
      content: { count: 3, name: 'Al', colour: 'g', tags: ['x'], agree: true },
      problems: {},
    });
  });

  it('says what is wrong, field by field', () => {
    const filled = { ...defaultsOf(fields), name: 'A', count: '2.5', mail: 'nobody' };
    expect(Object.keys(readFilled(fields, filled).problems)).toEqual(['count', 'name', 'mail', 'tags']);
    expect(readFilled(fields, { ...filled, count: '10' }).problems.count).toBe('At most 9.');
    expect(readFilled(fields, { ...filled, count: '' }).problems.count).toBe('Required.');
  });

  it('has no fields without a schema', () => {
    expect(fieldsOf(undefined, ['a'])).toEqual([]);
  });
});

it('offers to allow everything only if the server permits it, but shows it if it is active', () => {
  const offered = (current: string | undefined, allow: boolean) =>
    modesWith(current, allow).map(([mode]) => mode);
  expect(offered(undefined, false)).not.toContain('bypassPermissions');
  expect(offered(undefined, true)).toContain('bypassPermissions');
  expect(offered('bypassPermissions', false)).toContain('bypassPermissions');
  expect(offered('from-the-future', false)).toContain('from-the-future');
});
