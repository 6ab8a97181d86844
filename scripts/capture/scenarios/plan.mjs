// The newest CLI in plan mode: the model writes its plan to the given file and submits it.
import { toolUse } from '../../../src/lab/testing/index.ts';

export const plan = {
  options: () => ({ permissionMode: 'plan' }),
  async run(cli) {
    await cli.ask('initialize');
    cli.model.when('ALPHA', ({ messages }) => {
      const path = /\/[^" \\]*\/plans\/[\w-]+\.md/.exec(JSON.stringify(messages))?.[0];
      return toolUse('Write', { file_path: path ?? 'plan.md', content: 'A plan.' });
    });
    cli.model.afterTools(toolUse('ExitPlanMode'));
    await cli.turn('ALPHA');
    await cli.ask('get_plan', {}, { as: 'written' });
  },
};
