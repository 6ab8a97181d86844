// Runs that end at a limit, and one with structured output.
import { apiError, limitHeaders, reply, text, toolUse } from '../../../src/lab/testing/index.ts';

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

/** The usage limits of an account: calm, nearly full, and reached. */
export const account = {
  options: () => ({
    env: {
      ANTHROPIC_API_KEY: undefined,
      CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-not-a-real-one',
      CLAUDE_CODE_MAX_RETRIES: '0',
    },
  }),
  async run(cli) {
    await cli.ask('initialize');
    const used = (fiveHour) => reply(text('ok'), { headers: limitHeaders({ fiveHour }) });
    cli.model.when('ALPHA', used(0.5));
    await cli.turn('ALPHA');
    cli.model.when('BRAVO', used(0.95));
    await cli.turn('BRAVO');
    const headers = limitHeaders({ fiveHour: 1, status: 'rejected' });
    cli.model.when('CHARLIE', apiError(429, { headers }));
    await cli.turn('CHARLIE');
  },
};
