import { existsSync, readFileSync } from 'node:fs';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { Session } from '../../src/host/session/session.js';
import { apiError, reply, stall, text, toolUse } from '../../src/lab/testing/model/replies.js';
import type { Diagnostic } from '../../src/wire/util/diagnostics.js';
import { isRunning } from '../integration/process-helpers.js';
import { describeRealClis } from './support/each-real-cli.js';
import { realPlace } from './support/real-session.js';

describeRealClis('a session', (cli) => {
  const isNew = cli.version === '2.1.326';

  test('runs a full turn with a tool call, and knows its id and version', async () => {
    await using place = await realPlace(cli);
    const asked: string[] = [];
    await using session = await place.open({
      onPermission: (request) => {
        asked.push(`${request.tool} ${String(request.input.command)}`);
        return request.allow({ input: { ...request.input, command: 'echo changed by the host' } });
      },
    });
    const script = place.model.play([
      {
        when: 'touch it',
        reply: reply([text('Let me see.'), toolUse('Bash', { command: 'touch made-by-test' })]),
      },
      { when: { toolResult: /changed by the host/ }, reply: text('All done.') },
    ]);
    const id = session.id;
    const turn = session.send('touch it');
    const types: string[] = [];
    for await (const { type, subtype, session_id } of turn) {
      // Newer CLIs that stream report when they call the model.
      if (subtype !== 'status') types.push(String(type));
      if (type === 'system') expect(session_id).toBe(id);
    }
    expect(await turn.outcome).toMatchObject({
      kind: 'success',
      text: 'All done.',
      usage: { costUsd: expect.any(Number) },
    });
    expect(types.filter((type) => type !== 'command_lifecycle' && type !== 'rate_limit_event')).toEqual([
      'system',
      'assistant',
      'assistant',
      'user',
      'assistant',
      'result',
    ]);
    expect(asked).toEqual(['Bash touch made-by-test']);
    expect(session.version).toBe(cli.version);
    script.assertFinished();
  });

  test('interrupts, changes model and permission mode, and reports the MCP status', async () => {
    await using place = await realPlace(cli);
    const late: Diagnostic[] = [];
    await using session = await place.open({ onDiagnostic: (diagnostic) => late.push(diagnostic) });
    place.model.play([{ reply: stall() }]);
    const turn = session.send('think forever');
    await turn.began;
    await place.model.waitForRequest(({ kind }) => kind === 'main');
    await session.interrupt();
    expect((await turn.outcome).kind).toBe('interrupted');

    await session.setModel('opus');
    expect(await session.setPermissionMode('acceptEdits')).toMatchObject({ mode: 'acceptEdits' });
    expect(await session.control('mcp_status')).toMatchObject({ mcpServers: [] });
    place.model.play([{ when: 'which model', reply: text('that one') }]);
    const modes: unknown[] = [];
    for await (const message of session.send('which model'))
      if (message.subtype === 'init') modes.push(message.permissionMode);
    expect(modes).toEqual(['acceptEdits']);
    expect(place.model.lastRequest()?.model).toMatch(/opus/);
    expect(late.map(({ code }) => code)).toEqual(isNew ? [] : ['LATE_ANSWER']);
  });

  test('an interrupt right after the message still stops that turn', async () => {
    await using place = await realPlace(cli);
    await using session = await place.open();
    place.model.play([{ reply: stall() }]);
    const turn = session.send('stop at once');
    await session.interrupt();
    expect((await turn.outcome).kind).toBe('interrupted');
  });

  test('rewinds files; a dry run changes nothing, or is refused if it would', async () => {
    await using place = await realPlace(cli);
    const file = join(place.folders.cwd, 'note.txt');
    await writeFile(file, 'before\n');
    await using session = await place.open({ permissionMode: 'acceptEdits', enableFileCheckpointing: true });
    place.model.play([
      { when: 'change', reply: toolUse('Read', { file_path: file }) },
      { reply: toolUse('Write', { file_path: file, content: 'after\n' }) },
      { reply: text('changed') },
    ]);
    const turn = session.send('change');
    await turn.text();
    expect(await readFile(file, 'utf8')).toBe('after\n');
    const id = String(turn.userMessageId);
    const dryRun = session.rewind(id, { dryRun: true });
    if (cli.version === '2.0.73')
      await expect(dryRun).rejects.toMatchObject({ code: 'ENDPOINT_UNSUPPORTED' });
    else expect(await dryRun).toMatchObject({ canRewind: true, filesChanged: [file] });
    expect(await readFile(file, 'utf8')).toBe('after\n');
    await session.rewind(id);
    expect(await readFile(file, 'utf8')).toBe('before\n');
    await expect(session.rewind('00000000-0000-4000-8000-00000000dead')).rejects.toMatchObject({
      code: 'REQUEST_REFUSED',
      reason: /No file checkpoint found/,
    });
  });

  test('is reopened after a kill, with its context; costs continue', async () => {
    await using place = await realPlace(cli);
    await using session = await place.open({ reopen: 'auto' });
    place.model.play([{ when: 'remember 42', reply: text('noted') }]);
    const first = await session.send('remember 42').outcome;
    killCli(session);
    await session.settled();
    await untilEnded(session);
    place.model.play([{ when: 'what was it', reply: text('42') }]);
    expect(await session.send('what was it').text()).toBe('42');
    const sent = JSON.stringify(place.model.lastRequest()?.messages);
    expect(sent).toContain('remember 42');
    expect(session.usage.costUsd).toBeGreaterThan(first.usage?.costUsd ?? 0);
  });

  test('resumes by id; a stale id is a typed failure, or a fresh start if configured', async () => {
    await using place = await realPlace(cli);
    place.model.play([{ when: 'remember me', reply: text('noted') }]);
    const before = await place.open();
    await before.send('remember me').text();
    const id = String(before.id);
    await before.close();

    await using resumed = await place.open({ resume: id });
    expect(resumed.id).toBe(id);
    place.model.play([{ when: 'again', reply: text('here') }]);
    await resumed.send('again').text();
    expect(JSON.stringify(place.model.lastRequest()?.messages)).toContain('remember me');

    await expect(place.open({ resume: 'nope' })).rejects.toMatchObject({ code: 'SESSION_MISSING' });
    const stale = '00000000-0000-4000-8000-00000000dead';
    await expect(place.open({ resume: stale })).rejects.toMatchObject({
      code: 'SESSION_MISSING',
      commandLine: /--resume/,
    });
    const told: unknown[] = [];
    await using fresh = await place.open({
      resume: stale,
      onMissing: 'fresh',
      onDiagnostic: (diagnostic) => told.push(diagnostic),
    });
    expect(told).toMatchObject([{ code: 'CONVERSATION_MISSING', missing: stale, sessionId: fresh.id }]);
    expect(fresh.state).toBe('ready');
    expect(fresh.id).not.toBe(stale);
  });

  test('distinguishes API failures', async () => {
    await using place = await realPlace(cli);
    await using session = await place.open({ env: { CLAUDE_CODE_MAX_RETRIES: '1' } });
    const kinds: string[] = [];
    for (const status of [401, 429, 500] as const) {
      place.model.play(() => apiError(status));
      kinds.push((await session.send(`fail with ${status}`).outcome).kind);
    }
    expect(kinds).toEqual(['auth', 'rate-limited', 'error']);
  });

  test('messages sent while a tool runs get a result each, or share one if the CLI merges them', async () => {
    await using place = await realPlace(cli);
    await using session = await place.open({
      permissionMode: 'bypassPermissions',
      allowDangerouslySkipPermissions: true,
    });
    place.model.play([
      { when: 'one', reply: toolUse('Bash', { command: 'until [ -e gate ]; do sleep 0.1; done' }) },
      { reply: text('first') },
      ...(isNew ? [] : [{ when: 'two', reply: text('second') }]),
    ]);
    const one = session.send('one');
    for await (const message of one) if (message.type === 'assistant') break;
    const two = session.send('two');
    // The tool runs until the CLI has the second message, or until it is held because this CLI accepts one at a time.
    await place.until(() => two.receipt !== 'held' || !isNew);
    await writeFile(join(place.folders.cwd, 'gate'), '');
    expect(await one.text()).toBe('first');
    expect(await two.text()).toBe(isNew ? 'first' : 'second');
    expect(await two.began).toBe(isNew ? 'merged' : 'started');
  });

  test('an early exit gives the reason, and leaves nothing running', async () => {
    await using place = await realPlace(cli);
    const failed = place.open({ extraArgs: { 'no-such-flag': null } });
    await expect(failed).rejects.toMatchObject({
      code: 'HANDSHAKE_ENDED',
      stderrTail: /no-such-flag/,
      phase: 'handshaking',
      commandLine: /--no-such-flag/,
      debugLog: /debug/,
    });
  });

  test('closing during a tool call leaves no process running', async () => {
    await using place = await realPlace(cli);
    const session = await place.open({
      permissionMode: 'bypassPermissions',
      allowDangerouslySkipPermissions: true,
      ending: { eofMs: 200 },
    });
    const pid = session.pid;
    const beside = join(place.folders.cwd, 'tool-pid');
    place.model.play([{ reply: toolUse('Bash', { command: 'echo $$ > tool-pid; tail -f /dev/null' }) }]);
    const turn = session.send('run it');
    await place.until(() => existsSync(beside) && readFileSync(beside, 'utf8').trim() !== '');
    const tool = Number(readFileSync(beside, 'utf8'));
    await session.close();
    expect([pid, tool].filter((each) => each !== undefined && isRunning(each))).toEqual([]);
    expect(['closed', 'interrupted', 'error']).toContain((await turn.outcome).kind);
  });
});

/** Ends the session's CLI as the outside world might: by its process id. */
function killCli(session: Session): void {
  const pid = session.pid;
  if (pid === undefined) throw new Error('the session has no process');
  process.kill(pid, 'SIGKILL');
}

function untilEnded(session: Session): Promise<void> {
  if (session.state === 'ended') return Promise.resolve();
  return new Promise((resolve) => {
    session.on('state', (state) => {
      if (state === 'ended') resolve();
    });
  });
}
