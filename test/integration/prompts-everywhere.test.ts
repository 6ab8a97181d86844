import { describe, onTestFinished } from 'vitest';
import { ConsoleClient } from '../../src/entry/remote/console-client.js';
import { openSession } from '../../src/entry/sdk/open-session.js';
import { emulateCli } from '../../src/lab/testing/emulator/emulate-cli.js';
import { startEmulatedConsole } from '../support/console.js';
import { emulatedManager, manual } from '../support/manager.js';
import { promptContract } from '../support/prompt-contract.js';

describe('in a session', () => {
  promptContract(
    async (scenario) => {
      const session = await openSession({ transport: emulateCli(scenario).transport, prompts: 'manual' });
      onTestFinished(async () => void (await session.close()));
      return {
        prompts: () => session.prompts,
        on: (listener) => session.on('prompt', listener),
        send: (text) => session.send(text),
        control: (subtype) => session.control(subtype),
      };
    },
    { oneCli: true },
  );
});

describe('in a conversation of a manager', () => {
  promptContract(async (scenario) => {
    const { manager } = await emulatedManager({ scenarios: [scenario] }, manual);
    const talk = manager.conversation('one');
    return {
      prompts: () => talk.prompts,
      on: (listener) => manager.on('prompt', listener),
      send: (text) => talk.send(text),
      control: (subtype) => talk.control(subtype),
    };
  });
});

describe('for a client of a console', () => {
  promptContract(async (scenario) => {
    // Each CLI knows the conversation, although the one before did not finish a turn.
    const clis = { transport: () => emulateCli(scenario).transport };
    const { server, root } = await startEmulatedConsole([], { session: clis });
    const connected = async () => {
      const client = new ConsoleClient({ url: server.url });
      onTestFinished(() => client.close());
      await client.listed;
      return client;
    };
    const client = await connected();
    const { session } = await client.command('open', { cwd: root });
    return {
      prompts: () => client.prompts(session),
      on: (listener) => client.on('prompt', listener),
      send: (content) => void client.command('send', { content }, { session }),
      control: (subtype) => client.command('control', { subtype }, { session }),
      another: async () => {
        const other = await connected();
        return { prompts: () => other.prompts(session) };
      },
    };
  });
});
