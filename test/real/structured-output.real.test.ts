import { expect, test } from 'vitest';
import * as z from 'zod';
import { launchCli } from '../../src/host/cli/launch-cli.js';
import { emulatorProgram } from '../../src/lab/testing/emulator/program/emulator-program.js';
import { text, toolUse } from '../../src/lab/testing/model/replies.js';
import type { Transport } from '../../src/wire/transport/transport.js';
import { describeRealClis } from './support/each-real-cli.js';
import { realPlace } from './support/real-session.js';

const counted = z.object({ n: z.number(), of: z.email().optional() });

describeRealClis('structured output', (cli) => {
  test.each([
    ['a schema of a library', counted],
    ['a JSON Schema of the newest draft', z.toJSONSchema(counted)],
  ])('with %s is returned as a value', async (_name, outputSchema) => {
    await using place = await realPlace(cli);
    await using session = await place.open({ outputSchema });
    place.model.play([{ reply: toolUse('StructuredOutput', { n: 7 }) }, { reply: text('Done.') }]);
    expect(await session.send('count').outcome).toMatchObject({ kind: 'success', output: { n: 7 } });
  });

  test.each([
    ['a draft', { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' }],
    ['a keyword', { type: 'object', unevaluatedProperties: false }],
    ['a keyword deep inside', { type: 'object', properties: { n: { prefixItems: [{ type: 'number' }] } } }],
    [
      'nothing',
      { type: 'object', properties: { n: { $ref: '#/$defs/N' } }, $defs: { N: { type: 'number' } } },
    ],
  ])('%s that it does not know ends the emulated CLI like the real one', async (_name, outputSchema) => {
    await using place = await realPlace(cli);
    const { cwd, env, envMode, settingSources } = place.options();
    const start = (program: string) =>
      launchCli({ cli: program, cwd, env, envMode, settingSources, outputSchema });
    const real = await fateOf(await start(cli.path));
    expect(await fateOf(await start(emulatorProgram(cli.version)))).toBe(real);
  });
});

/** Its stderr when it ends by itself, or that it answers. */
async function fateOf(transport: Transport & { readonly stderrTail: () => string }): Promise<string> {
  const answered = new Promise<string>((resolve) => {
    transport.start((lines) => {
      if (lines.some((line) => line.includes('control_response'))) resolve('answers');
    });
  });
  const initialize = { subtype: 'initialize' };
  const request = { type: 'control_request', request_id: 'a', request: initialize };
  transport.send(JSON.stringify(request)).catch(() => {});
  const ended = transport.ended.then(() => transport.stderrTail().trim().split('\n')[0] ?? '');
  const fate = await Promise.race([answered, ended]);
  await transport.close();
  return fate;
}
