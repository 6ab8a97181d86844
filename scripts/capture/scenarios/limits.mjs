// Runs that end at a limit, and one with structured output.
import { toolUse } from '../../../src/lab/testing/index.ts';

const again = Array.from({ length: 10 }, () => toolUse('Bash', { command: 'echo x', description: 'echoes' }));

export const maxTurns = {
  options: () => ({ maxTurns: 1 }),
  async run(cli) {
    await cli.ask('initialize');
    cli.model.when('ALPHA', ...again);
    await cli.turn('ALPHA');
  },
};

export const budget = {
  options: () => ({ maxBudgetUsd: 0.000_001 }),
  async run(cli) {
    await cli.ask('initialize');
    await cli.turn('ALPHA');
    await cli.turn('BRAVO');
  },
};

export const structured = {
  options: () => ({}),
  async run(cli) {
    const properties = { colour: { type: 'string' } };
    await cli.ask('initialize', { jsonSchema: { type: 'object', properties, required: ['colour'] } });
    cli.model.when('ALPHA', toolUse('StructuredOutput', { colour: 'red' }));
    await cli.turn('ALPHA');
  },
};
