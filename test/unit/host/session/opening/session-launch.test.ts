import { describe, expect, test } from 'vitest';
import { cliOptionsFor, handshakeDeadline } from '../../../../../src/host/session/opening/session-launch.js';

const first = { sessionId: 'own-id', resume: false, first: true };

describe('the command line of a session', () => {
  test('has our own id at the first start', () => {
    expect(cliOptionsFor({ model: 'opus' }, first)).toEqual({
      model: 'opus',
      partialMessages: true,
      sessionId: 'own-id',
    });
  });

  test('requests prompts on stdio whenever something here can answer them', () => {
    const answers = { promptId: 'x', accepted: true };
    for (const options of [
      { onPermission: () => answers },
      { onQuestion: () => answers },
      { handlers: { can_use_tool: () => ({ behavior: 'deny', message: 'no' }) as const } },
    ]) {
      expect(cliOptionsFor(options, first)).toMatchObject({ permissionPromptTool: 'stdio' });
    }
    expect(cliOptionsFor({}, first)).not.toHaveProperty('permissionPromptTool');
    expect(
      cliOptionsFor({ onPermission: () => answers, permissionPromptTool: 'stdio' }, first),
    ).toMatchObject({
      permissionPromptTool: 'stdio',
    });
  });

  test('never passes agents or prompts as flags', () => {
    const options = cliOptionsFor(
      { agents: { a: { description: 'd', prompt: 'p' } }, systemPrompt: 'x' },
      first,
    );
    expect(options).toEqual({ partialMessages: true, sessionId: 'own-id' });
  });

  test('a resumed conversation keeps its id, a fork gets ours', () => {
    expect(cliOptionsFor({ resume: 'old' }, { sessionId: 'old', resume: true, first: true })).toEqual({
      partialMessages: true,
      resume: 'old',
    });
    expect(cliOptionsFor({ resume: 'old', forkSession: true }, first)).toEqual({
      partialMessages: true,
      resume: 'old',
      forkSession: true,
      sessionId: 'own-id',
    });
    expect(cliOptionsFor({ continue: true }, { sessionId: undefined, resume: true, first: true })).toEqual({
      partialMessages: true,
      continue: true,
    });
  });

  test('a reopen resumes the conversation on disk and drops the options of the first start', () => {
    const options = {
      resume: 'old',
      forkSession: true,
      resumeSessionAt: 'm',
      resumeDropsTurn: 't',
      model: 'opus',
    };
    const again = { sessionId: 'own-id', first: false };
    expect(cliOptionsFor(options, { ...again, resume: true })).toEqual({
      model: 'opus',
      partialMessages: true,
      resume: 'own-id',
    });
    expect(cliOptionsFor(options, { ...again, resume: false })).toEqual({
      partialMessages: true,
      model: 'opus',
      sessionId: 'own-id',
    });
  });
});

describe('the deadline of the handshake', () => {
  const variable = (value: string) => ({ env: { CLAUDE_CODE_STREAM_CLOSE_TIMEOUT: value } });

  test.each([
    [{}, 60_000],
    [variable('90000'), 90_000],
    [variable('5000'), 5_000],
    [variable('soon'), 60_000],
    [{ ...variable('90000'), handshakeMs: 10 }, 10],
  ])('with %j is %i ms', (options, expected) => {
    expect(handshakeDeadline({ envMode: 'replace', ...options })).toBe(expected);
  });

  test('uses the host’s variable only if the CLI sees it too', () => {
    process.env.CLAUDE_CODE_STREAM_CLOSE_TIMEOUT = '120000';
    try {
      expect(handshakeDeadline({})).toBe(120_000);
      expect(handshakeDeadline({ envMode: 'isolated' })).toBe(60_000);
      expect(handshakeDeadline({ env: { CLAUDE_CODE_STREAM_CLOSE_TIMEOUT: undefined } })).toBe(60_000);
    } finally {
      Reflect.deleteProperty(process.env, 'CLAUDE_CODE_STREAM_CLOSE_TIMEOUT');
    }
  });
});
