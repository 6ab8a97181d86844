import { describe, expect, test } from 'vitest';
import { openSession } from '../../src/entry/sdk/open-session.js';
import type { Denial } from '../../src/host/session/prompts/denials.js';
import { text, toolUse } from '../../src/lab/testing/model/replies.js';
import { knownRealClis } from '../../src/lab/testing/real-cli/known-clis.js';
import { realPlace } from './support/real-session.js';

/** What each version tells about a call that its own check denies: an event, or only a hook. */
const told = [
  ['2.1.112', 'hook'],
  ['2.1.206', 'event'],
  ['2.1.326', 'event'],
] as const;

/** In its own folder, a CLI would allow that. */
const COMMAND = 'rm -rf /tmp/coxswain-does-not-exist/at-all';
const installed = knownRealClis();

describe('auto mode', () => {
  for (const [version, how] of told) {
    // The scripted model has no check, so CLIs deny whatever needs one.
    test(`a denied call is reported, and can be allowed once [${version}]`, async ({ skip }) => {
      const cli = installed.find((each) => each.version === version);
      if (cli === undefined) return skip(`the real CLI ${version} is not installed in test/real-clis`);
      await using place = await realPlace(cli);
      const call = toolUse('Bash', { command: COMMAND, description: 'Clean up' });
      place.model.play([
        { when: (request) => request.toolNames.includes('Bash'), reply: call, times: 2 },
        { when: /.*/, reply: text('done'), times: 'any' },
      ]);
      const asked: string[] = [];
      const options = place.options({
        permissionMode: 'auto',
        askWhenDenied: true,
        onPermission: (prompt) => {
          asked.push(`${prompt.tool}: ${prompt.decisionReason}, ${prompt.wasDenied}`);
          return prompt.allow();
        },
      });
      await using session = await openSession(options);
      const denials: Denial[] = [];
      session.on('denial', (denial) => denials.push(denial));
      const results: boolean[] = [];
      session.on('message', (message) => {
        if (message.type !== 'user' || !Array.isArray(message.message.content)) return;
        for (const block of message.message.content)
          if (block.type === 'tool_result') results.push(block.is_error === true);
      });
      const outcome = await session.send('clean up').outcome;
      expect(outcome.kind).toBe('success');
      expect(asked).toEqual([expect.stringMatching(/^Bash: .+, true$/)]);
      expect(results).toEqual([true, false]);
      if (how === 'hook') expect(denials).toEqual([]);
      else
        expect(denials).toMatchObject([
          { tool: 'Bash', by: 'classifier', reason: expect.any(String), input: { command: COMMAND } },
        ]);
    });
  }
});
