import { expect, test } from 'vitest';
import type { SessionSummary } from '../../../../src/entry/remote/contract.js';
import { goneText } from '../../../../src/server/fleet/worker/gone-text.js';

const prompts = [{}] as unknown as SessionSummary['prompts'];

test('a take-over says what was lost, and only that', () => {
  expect(goneText({ state: 'idle', prompts: [] })).toBe(
    'The worker of this conversation is gone. Another one continues.',
  );
  expect(goneText({ state: 'running', prompts: [] })).toBe(
    'The worker of this conversation is gone. Its turn was interrupted; the effects of tools are not undone. Send a message to continue.',
  );
  expect(goneText({ state: 'needs-you', prompts })).toContain(
    'Answer its open prompts, or send a message, to continue.',
  );
});
