import { expect, test } from 'vitest';
import { text } from '../../src/lab/testing/model/replies.js';
import { publishedClis } from './support/published-clis.js';
import { realPlace } from './support/real-session.js';

const install = publishedClis();

// They write the transcript a moment after the result; whether it is lost is a race.
test.each(['2.1.31', '2.1.71', '2.1.168'])(
  'CLI %s that is killed right after a result is resumed, or named as the reason',
  { timeout: 180_000 },
  async (version) => {
    await using place = await realPlace(await install(version));
    place.model.play([{ reply: text('Aye.'), times: 'any' }]);
    await using session = await place.open();
    session.on('message', ({ type }) => {
      if (type === 'result') process.kill(session.pid ?? 0, 'SIGKILL');
    });
    await session.send('hello').outcome;
    await expect.poll(() => session.state).toBe('ended');
    const reason = await session.reopen().then(
      () => 'resumed',
      (error: Error) => error.message,
    );
    expect(reason).toMatch(/^resumed$|killed before it had written the conversation/);
  },
);
