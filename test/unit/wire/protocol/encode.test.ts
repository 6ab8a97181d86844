import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  encodeCancel,
  encodeObject,
  encodeRefusal,
  encodeRequest,
  encodeSuccess,
  formatRequestId,
} from '../../../../src/wire/protocol/encode.js';
import { decodeLine } from '../../../../src/wire/protocol/frames.js';

const json = fc.jsonValue();

describe('encoding', () => {
  test('every builder returns exactly one line that decodes to the same value', () => {
    fc.assert(
      fc.property(fc.string(), json, fc.string({ unit: 'grapheme' }), (id, value, text) => {
        const lines = [
          encodeRequest(id, { subtype: text, value }),
          encodeSuccess(id, value),
          encodeSuccess(id),
          encodeRefusal(id, text, 'code'),
          encodeCancel(id),
          encodeObject({ type: 'user', text, value }),
        ];
        for (const line of lines) expect(line).toMatch(/^[^\n\r\u2028\u2029]+$/);
        expect(lines.map((line) => decodeLine(line))).toMatchObject([
          { kind: 'request', id, body: { subtype: text } },
          { kind: 'success', id },
          { kind: 'success', id, value: undefined },
          { kind: 'refusal', id, error: text, errorCode: 'code' },
          { kind: 'cancel', id },
          { kind: 'message', message: { type: 'user', text } },
        ]);
        expect(JSON.parse(lines[1] ?? '').response.response).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test('escapes the two separators that Node readline treats as line ends', () => {
    const line = encodeObject({ text: 'a\u2028b\u2029c' });
    expect(line).toBe('{"text":"a\\u2028b\\u2029c"}');
    expect(JSON.parse(line)).toEqual({ text: 'a\u2028b\u2029c' });
  });

  test('a plain ack has no response key', () => {
    expect(JSON.parse(encodeSuccess('r')).response).toEqual({ subtype: 'success', request_id: 'r' });
  });

  test('refuses what JSON cannot represent, naming the problem', () => {
    const circular: Record<string, unknown> = {};
    circular.self = circular;
    expect(() => encodeObject(circular)).toThrow(expect.objectContaining({ code: 'NOT_SERIALISABLE' }));
    expect(() => encodeSuccess('r', { big: 1n })).toThrow(/BigInt/);
    const throwsNonsense = {
      toJSON: () => {
        throw Symbol('nonsense');
      },
    };
    expect(() => encodeObject({ throwsNonsense })).toThrow(/written as JSON: Symbol\(nonsense\)/);
  });

  test('formats a request id', () => {
    expect(formatRequestId(7, 'beef')).toBe('req_7_beef');
  });
});
