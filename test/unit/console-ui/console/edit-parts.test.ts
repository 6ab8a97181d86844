import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { leftOutWords, partedEdit } from '../../../../console-ui/console/prompts/edit-parts.js';

const before = 'one\ntwo\nthree\nfour\nfive\nsix\nseven\n';
const after = 'one\n2\nthree\nfour\nfive\n6\nseven\neight\n';
const edit = (input: object, tool = 'Edit', disk?: string) =>
  partedEdit({ tool, input: { file_path: '/a.ts', ...input } }, disk);

describe('the parts of a proposed edit', () => {
  it('are its separate changes, with lines around them as far as their neighbours', () => {
    const { parts = [] } = edit({ old_string: before, new_string: after }) ?? {};
    expect(parts.map(({ shown }) => shown)).toEqual([
      { oldStart: 1, newStart: 1, lines: [' one', '-two', '+2', ' three', ' four'] },
      { oldStart: 4, newStart: 4, lines: [' four', ' five', '-six', '+6', ' seven'] },
      { oldStart: 7, newStart: 7, lines: [' seven', '+eight'] },
    ]);
  });

  it('make an input that has only what was chosen', () => {
    const parted = edit({ old_string: before, new_string: after, replace_all: true });
    expect(parted?.inputWith(new Set([1]))).toEqual({
      file_path: '/a.ts',
      old_string: before,
      new_string: before.replace('six', '6'),
      replace_all: true,
    });
  });

  it('of several edits leave out those without a chosen part', () => {
    const edits = [
      { old_string: 'a\nb\nc', new_string: 'A\nb\nC' },
      { old_string: 'x', new_string: 'y' },
    ];
    const parted = edit({ edits }, 'MultiEdit');
    expect(parted?.parts).toHaveLength(3);
    expect(parted?.inputWith(new Set([1]))).toEqual({
      file_path: '/a.ts',
      edits: [{ old_string: 'a\nb\nc', new_string: 'a\nb\nC' }],
    });
    expect(edit({ edits: ['x'] }, 'MultiEdit')).toBeUndefined();
  });

  it('of a written file are compared with the file, whose line numbers they have', () => {
    expect(edit({ content: after }, 'Write')).toBeUndefined();
    const parted = edit({ content: after }, 'Write', before);
    expect(parted).toMatchObject({ numbered: true });
    expect(parted?.inputWith(new Set([0, 2]))).toMatchObject({ content: after.replace('6\n', 'six\n') });
  });

  it('do not exist for anything else', () => {
    expect(edit({ new_source: 'x' }, 'NotebookEdit')).toBeUndefined();
    expect(edit({ old_string: 1, new_string: 'x' })).toBeUndefined();
    expect(
      partedEdit({ tool: 'Edit', input: { old_string: 'a', new_string: 'b' } }, undefined),
    ).toBeUndefined();
  });

  it('are together the whole change, and none of them is no change', () => {
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', '', ' ', '\r'), { maxLength: 20 })
      .map((lines) => lines.join('\n'));
    fc.assert(
      fc.property(text, text, fc.array(fc.nat({ max: 20 })), (old, now, some) => {
        const parted = edit({ old_string: old, new_string: now });
        const ids = parted?.parts.map(({ id }) => id) ?? [];
        expect(parted?.inputWith(new Set(ids)).new_string).toBe(now);
        expect(parted?.inputWith(new Set()).new_string).toBe(old);
        // Whatever is chosen, the rest applied afterwards gives the whole.
        const chosen = new Set(ids.filter((id) => some.includes(id)));
        const half = String(parted?.inputWith(chosen).new_string);
        const rest = edit({ old_string: half, new_string: now });
        expect(rest?.inputWith(new Set(rest.parts.map(({ id }) => id))).new_string).toBe(now);
      }),
    );
  });
});

it('the model is told what was left out, and why', () => {
  const parted = edit({ old_string: before, new_string: after });
  if (parted === undefined) throw new Error('it has parts');
  expect(leftOutWords(parted, new Set([1, 2]), ' Keep the word. ')).toBe(
    'I accepted only a part of your change to /a.ts. The file is not as you wrote it: I left out\n\n```diff\n one\n-two\n+2\n three\n four\n```\n\nKeep the word.',
  );
});
