import { describe, expect, test } from 'vitest';
import type { SessionOptions } from '../../src/host/session/session-options.js';
import { text, toolUse } from '../../src/lab/testing/model/replies.js';
import { publishedClis } from './support/published-clis.js';
import { realPlace } from './support/real-session.js';

const install = publishedClis();

/** CLIs that ignore these options in `initialize`, and the first ones that do not. */
describe.each(['2.0.0', '2.0.44', '2.0.55', '2.0.57', '2.0.58'])('CLI %s', (version) => {
  const place = async () => realPlace(await install(version));

  // The model does not keep prompts, only their length.
  test('gets the system prompt, and the text to append', { timeout: 120_000 }, async () => {
    await using there = await place();
    const lengthWith = async (options: SessionOptions) => {
      const before = there.model.model.requests.length;
      await using session = await there.open(options);
      there.model.play([{ reply: text('Aye.') }]);
      expect(await session.send('hello').text()).toBe('Aye.');
      // The CLI also asks for a title, with a short prompt.
      return Math.max(...there.model.model.requests.slice(before).map(({ systemLength }) => systemLength));
    };
    const own = await lengthWith({ systemPrompt: ['a'.repeat(50_000), 'b'.repeat(20_000)] });
    expect(own).toBeGreaterThanOrEqual(70_002);
    expect(own).toBeLessThan(71_000);
    expect(await lengthWith({ appendSystemPrompt: 'c'.repeat(90_000) })).toBeGreaterThan(92_000);
  });

  test('gets agents', { timeout: 120_000 }, async () => {
    await using there = await place();
    const agents = { parrot: { description: 'Repeats words', prompt: 'You repeat "words".' } };
    await using session = await there.open({ agents, allowedTools: ['Task'] });
    there.model.play(({ userText, toolResults }) => {
      if (userText.includes('repeat it')) return text('words, words');
      if (toolResults.length > 0 || !userText.includes('go')) return text('Done.');
      return toolUse('Task', { description: 'd', prompt: 'repeat it', subagent_type: 'parrot' });
    });
    expect(await session.send('go').text()).toBe('Done.');
    expect(there.model.lastRequest()?.toolResults[0]?.text).toContain('words, words');
  });
});
