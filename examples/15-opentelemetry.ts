// Spans and metrics of a session, in the GenAI conventions of OpenTelemetry.
import assert from 'node:assert/strict';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { openSession } from 'coxswain';
import { traceEnvironment, traceSession } from 'coxswain/otel';
import { emulateCli, onUser, say, useTool } from 'coxswain/testing';

const exporter = new InMemorySpanExporter();
const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
const tracer = provider.getTracer('my-app');
const scenario = [
  onUser('Run the tests', [useTool('Bash', { command: 'npm test' }, { ask: true }), say('All green.')]),
];

// #region trace
await tracer.startActiveSpan('nightly job', async (span) => {
  await using session = await openSession({
    // The CLI's own spans join the trace, if it is configured to send any.
    env: { ...traceEnvironment() },
    onPermission: (prompt) => prompt.allow(),
    transport: emulateCli(scenario).transport,
  });
  traceSession(session, { tracer });
  await session.send('Run the tests').text();
  span.end();
});
// #endregion

const names = exporter.getFinishedSpans().map(({ name }) => name.replace(/^chat .*/, 'chat'));
assert.deepEqual(names.toSorted(), [
  'chat',
  'chat',
  'execute_tool Bash',
  'invoke_agent claude',
  'nightly job',
  'wait_for_person permission',
]);
console.log(names.join('\n'));
await provider.shutdown();
