import { expect, test } from 'vitest';
import { registerHooks } from '../../../../src/host/session/hooks/hooks.js';
import { OwnerRequests } from '../../../../src/server/console/sessions/owner-requests.js';
import { Cancellation } from '../../../../src/wire/peer/cancellation.js';
import type { RequestBody } from '../../../../src/wire/protocol/frames.js';
import { ManualClock } from '../../../support/manual-clock.js';
import { requestContext } from '../../../support/request-context.js';

const GRACE_MS = 100;

function setUp() {
  const clock = new ManualClock();
  const run = () => undefined;
  const { wire } = registerHooks({
    PreToolUse: [{ run, onFailure: 'block' }, { run }],
    Stop: [{ run, onFailure: 'block' }],
  });
  const owner = new OwnerRequests(wire, clock, GRACE_MS);
  const ask = (id: string, body: RequestBody, withdrawal?: Cancellation) =>
    Promise.resolve(owner.handlers[body.subtype]?.(body, requestContext(id, withdrawal)));
  return { clock, owner, ask };
}

const hook = (id: string): RequestBody => ({ subtype: 'hook_callback', callback_id: id, input: {} });
const message: RequestBody = { subtype: 'mcp_message', server_name: 'clock', message: {} };

test('the program answers, and only its first answer counts', async () => {
  const { owner, ask } = setUp();
  const asked = ask('1', message);
  expect(owner.reply('1', { ok: true, value: { mcp_response: {} } })).toBe(true);
  expect(owner.reply('1', { ok: false, error: 'too late' })).toBe(true);
  expect(await asked).toEqual({ mcp_response: {} });
  expect(owner.reply('1', { ok: true })).toBe(false);
  expect(owner.reply('never asked', { ok: true })).toBe(false);
});

test('a refusal of the program is final, even for a hook that blocks', async () => {
  const { owner, ask } = setUp();
  const asked = ask('1', hook('hook_0'));
  owner.reply('1', { ok: false, error: 'the hook failed' });
  await expect(asked).rejects.toThrow('the hook failed');
});

test('while the program is away, hooks follow their policy, and everything else is refused', async () => {
  const { clock, owner, ask } = setUp();
  const early = ask('1', hook('hook_0'));
  owner.ownerChanged(false);
  clock.advance(GRACE_MS);
  const denied = { hookEventName: 'PreToolUse', permissionDecision: 'deny' };
  expect(await early).toMatchObject({ hookSpecificOutput: denied });
  expect(await ask('2', hook('hook_0'))).toMatchObject({ hookSpecificOutput: denied });
  await expect(ask('3', hook('hook_1'))).rejects.toMatchObject({ code: 'OWNER_AWAY' });
  // A blocked Stop would make the model continue.
  await expect(ask('4', hook('hook_2'))).rejects.toMatchObject({ code: 'OWNER_AWAY' });
  await expect(ask('5', message)).rejects.toMatchObject({ code: 'OWNER_AWAY' });
});

test('a program that is back in time answers what arrived meanwhile', async () => {
  const { clock, owner, ask } = setUp();
  const asked = ask('1', hook('hook_0'));
  owner.ownerChanged(false);
  clock.advance(GRACE_MS - 1);
  owner.ownerChanged(true);
  clock.advance(GRACE_MS);
  owner.reply('1', { ok: true, value: { continue: true } });
  expect(await asked).toEqual({ continue: true });
});

test('a request that the CLI withdraws waits for nobody', async () => {
  const { owner, ask } = setUp();
  const withdrawal = new Cancellation();
  const asked = ask('1', message, withdrawal);
  withdrawal.cancel(new Error('taken back'));
  await expect(asked).rejects.toMatchObject({ code: 'REQUEST_ABORTED' });
  expect(owner.reply('1', { ok: true })).toBe(false);
});

test('prompts are not among them: they stay open without the program', () => {
  const { owner } = setUp();
  expect(Object.keys(owner.handlers)).toContain('hook_callback');
  for (const prompt of ['can_use_tool', 'elicitation', 'request_user_dialog']) {
    expect(owner.handlers[prompt]).toBeUndefined();
  }
});
