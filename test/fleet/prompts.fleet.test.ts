import { onTestFinished } from 'vitest';
import { openManager } from '../../src/server/managers/open-manager.js';
import { emulatedFleetManager } from '../support/fleet-manager.js';
import { withNats } from '../support/nats/with-nats.js';
import { promptContract } from '../support/prompt-contract.js';

withNats('in a conversation of a fleet', () => {
  promptContract(async (scenario) => {
    const { manager, nats } = await emulatedFleetManager({ scenarios: [scenario] });
    const talk = manager.conversation('one');
    return {
      prompts: () => talk.prompts,
      on: (listener) => manager.on('prompt', listener),
      send: (text) => talk.send(text),
      control: (subtype) => talk.control(subtype),
      another: async () => {
        const other = await openManager({ fleet: { nats: nats.url } });
        onTestFinished(() => other.close());
        return { prompts: () => other.find('one').prompts };
      },
    };
  });
});
