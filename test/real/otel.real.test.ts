import { context } from '@opentelemetry/api';
import { afterAll, beforeAll, expect } from 'vitest';
import { traceEnvironment } from '../../src/bridges/otel/trace-environment.js';
import { traceSession } from '../../src/bridges/otel/trace-session.js';
import { capabilitiesOf } from '../../src/host/cli/capabilities.js';
import { text, toolUse } from '../../src/lab/testing/model/replies.js';
import { collector, contextManager, openTelemetry } from '../support/otel.js';
import { eachRealCli } from './support/each-real-cli.js';
import { realPlace } from './support/real-session.js';

beforeAll(() => {
  context.setGlobalContextManager(contextManager());
});
afterAll(() => context.disable());

eachRealCli('a turn with a permission and a subagent becomes spans', async (cli) => {
  await using place = await realPlace(cli);
  const otel = openTelemetry();
  await using session = await place.open({
    allowedTools: ['Task', 'Agent'],
    partialMessages: true,
    onPermission: (prompt) => prompt.allow(),
  });
  traceSession(session, { tracer: otel.tracer, meter: otel.meter });
  const job = { description: 'Work', prompt: 'the job', subagent_type: 'general-purpose' };
  const agent = capabilitiesOf(cli).version === '2.1.326' ? 'Agent' : 'Task';
  place.model.play([
    { when: 'go', reply: toolUse('Bash', { command: 'mkdir made; echo made' }) },
    {
      when: { toolResult: /made/ },
      reply: toolUse(agent, { ...job, run_in_background: false }, 'toolu_agent'),
    },
    { when: 'the job', reply: toolUse('Bash', { command: 'mkdir inner; echo inner' }) },
    { when: { toolResult: /inner/ }, reply: text('Done inside.') },
    { when: { toolResult: /Done inside/ }, reply: text('All done.') },
  ]);
  expect(await session.send('go').text()).toBe('All done.');
  const tree = otel.tree().map((line) => line.replace(/chat .*/, 'chat'));
  expect(tree).toEqual([
    'invoke_agent claude',
    '  chat',
    '  execute_tool Bash',
    '    wait_for_person permission',
    '  chat',
    `  execute_tool ${agent}`,
    '    invoke_agent general-purpose',
    '      chat',
    '      execute_tool Bash',
    '        wait_for_person permission',
    '  chat',
  ]);
  const { attributes } = otel.span('invoke_agent claude');
  expect(attributes['gen_ai.conversation.id']).toBe(session.id);
  expect(attributes['gen_ai.usage.output_tokens']).toBe(session.usage.outputTokens);
  expect(session.usage.outputTokens).toBeGreaterThan(0);
});

eachRealCli(
  "the CLI's own spans are in the same trace",
  async (cli) => {
    await using place = await realPlace(cli);
    const otel = openTelemetry();
    const { url, received } = await collector();
    await otel.tracer.startActiveSpan('request', async (span) => {
      await using session = await place.open({
        env: {
          ...traceEnvironment(),
          CLAUDE_CODE_ENABLE_TELEMETRY: '1',
          CLAUDE_CODE_ENHANCED_TELEMETRY_BETA: '1',
          OTEL_TRACES_EXPORTER: 'otlp',
          OTEL_EXPORTER_OTLP_PROTOCOL: 'http/json',
          OTEL_EXPORTER_OTLP_ENDPOINT: url,
        },
      });
      place.model.play([{ when: 'go', reply: text('Done.') }]);
      expect(await session.send('go').text()).toBe('Done.');
      await session.close();
      const spans = received.filter(({ path }) => path === '/v1/traces').map(({ body }) => body);
      expect(spans.join('\n')).toContain(span.spanContext().traceId);
      span.end();
    });
  },
  ['2.1.326'],
);
