import { context, trace } from '@opentelemetry/api';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { traceEnvironment } from '../../../../src/bridges/otel/trace-environment.js';
import { insideToolSpan, traceSession } from '../../../../src/bridges/otel/trace-session.js';
import { openSession } from '../../../../src/entry/sdk/open-session.js';
import { mcpServer } from '../../../../src/host/mcp/mcp-server.js';
import { tool as inProcessTool } from '../../../../src/host/mcp/tool.js';
import { rateLimitEvent } from '../../../../src/lab/testing/builders/system.js';
import { emulateCli } from '../../../../src/lab/testing/emulator/emulate-cli.js';
import { onUser } from '../../../../src/lab/testing/emulator/scenario/scenario.js';
import { mcpTool } from '../../../../src/lab/testing/emulator/steps/asking-steps.js';
import { hang } from '../../../../src/lab/testing/emulator/steps/life-steps.js';
import { say, send } from '../../../../src/lab/testing/emulator/steps/speech-steps.js';
import { useTool } from '../../../../src/lab/testing/emulator/steps/tool-steps.js';
import { contextManager, openTelemetry } from '../../../support/otel.js';

beforeAll(() => {
  context.setGlobalContextManager(contextManager());
});
afterAll(() => context.disable());

const tool = useTool('Bash', { command: 'echo secret' }, { ask: true });
const open = (scenario = [onUser('go', [tool, say('done')])]) =>
  openSession({
    transport: emulateCli(scenario).transport,
    onPermission: async (prompt) => {
      await new Promise((resolve) => setImmediate(resolve));
      return prompt.allow();
    },
  });

test('a turn is a child of the span that sent it, and contains model calls, tools and the wait', async () => {
  const otel = openTelemetry();
  await using session = await open();
  const stop = traceSession(session, { tracer: otel.tracer, meter: otel.meter, agentName: 'helper' });
  await otel.tracer.startActiveSpan('request', async (span) => {
    await session.send('go').outcome;
    span.end();
  });
  expect(otel.tree()).toEqual([
    'request',
    '  invoke_agent helper',
    expect.stringMatching(/^ {4}chat /),
    '    execute_tool Bash',
    '      wait_for_person permission',
    expect.stringMatching(/^ {4}chat /),
  ]);
  expect(otel.span('invoke_agent helper').attributes).toMatchObject({
    'gen_ai.operation.name': 'invoke_agent',
    'gen_ai.conversation.id': session.id,
    'gen_ai.agent.version': session.version,
    'coxswain.outcome': 'success',
  });
  expect(otel.span('wait_for_person permission').attributes).toMatchObject({
    'coxswain.prompt.kind': 'permission',
    'coxswain.prompt.state': 'answered',
  });
  expect(await otel.metrics()).toEqual([
    'coxswain.cost',
    'coxswain.prompt.duration',
    'gen_ai.client.operation.duration',
    'gen_ai.client.token.usage',
    'gen_ai.execute_tool.duration',
    'gen_ai.invoke_agent.duration',
  ]);
  // An exporter would show an undefined attribute as an empty one.
  const measured = (await otel.measured()).flatMap((attributes) => Object.entries(attributes));
  expect(measured.filter(([, value]) => value === undefined)).toEqual([]);
  expect(JSON.stringify(otel.spans().map(({ attributes }) => attributes))).not.toContain('secret');
  stop();
});

test('content is included on request', async () => {
  const otel = openTelemetry();
  await using session = await open();
  traceSession(session, { tracer: otel.tracer, content: true });
  await session.send('go').outcome;
  expect(otel.span('execute_tool Bash').attributes['gen_ai.tool.call.arguments']).toContain('secret');
  expect(otel.span('invoke_agent claude').attributes).toMatchObject({
    'gen_ai.input.messages': expect.stringContaining('go'),
    'gen_ai.output.messages': expect.stringContaining('done'),
  });
});

test('closing a session ends its spans, and stopping a turn is not a failure', async () => {
  const otel = openTelemetry();
  const session = await open([onUser('go', [hang()])]);
  traceSession(session, { tracer: otel.tracer });
  const turn = session.send('go');
  await turn.began;
  await session.close();
  await turn.outcome;
  expect(otel.tree()).toEqual(['invoke_agent claude']);
  expect(otel.span('invoke_agent claude').attributes['coxswain.outcome']).toBe('closed');
});

test('no spans are created after the returned function was called', async () => {
  const otel = openTelemetry();
  await using session = await open();
  traceSession(session, { tracer: otel.tracer })();
  await session.send('go').outcome;
  expect(otel.spans()).toEqual([]);
});

test('the CLI gets the active span, if there is one', () => {
  const { tracer } = openTelemetry();
  expect(traceEnvironment()).toEqual({});
  tracer.startActiveSpan('request', (span) => {
    const { traceId, spanId } = span.spanContext();
    expect(traceEnvironment()).toEqual({ TRACEPARENT: `00-${traceId}-${spanId}-01` });
    expect(traceEnvironment(trace.setSpan(context.active(), span))).toEqual(traceEnvironment());
    span.end();
  });
});

test('spans of an in-process tool are inside the span of its call', async () => {
  const otel = openTelemetry();
  const lookUp = inProcessTool({
    name: 'look_up',
    description: 'Looks something up',
    run: (_input, call) =>
      insideToolSpan(call, () =>
        otel.tracer.startActiveSpan('SELECT', (span) => {
          span.end();
          return 'found';
        }),
      ),
  });
  const scenario = [onUser('go', [mcpTool('db', 'look_up', {}), say('done')])];
  await using session = await openSession({
    transport: emulateCli(scenario).transport,
    mcpServers: { db: mcpServer('db', [lookUp]) },
    onPermission: (prompt) => prompt.allow(),
  });
  traceSession(session, { tracer: otel.tracer, meter: otel.meter });
  await session.send('go').outcome;
  const tree = otel.tree();
  const at = tree.findIndex((line) => String(line).includes('SELECT'));
  expect(tree.slice(at - 1, at + 1)).toEqual(['  execute_tool mcp__db__look_up', '    SELECT']);
  // Elsewhere it has no effect.
  expect(insideToolSpan({ session: undefined, toolUseId: 'x' }, () => 1)).toBe(1);
});

test('a gauge tells how full the usage windows of the login are', async () => {
  const otel = openTelemetry();
  await using session = await open([onUser('go', [send(rateLimitEvent()), say('done')])]);
  const stop = traceSession(session, { tracer: otel.tracer, meter: otel.meter });
  await session.send('go').outcome;
  expect(await otel.metrics()).toContain('coxswain.limit.utilization');
  expect(await otel.measured()).toContainEqual({ 'coxswain.limit.window': 'five_hour' });
  stop();
});
