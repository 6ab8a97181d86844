// The wrappers, each with what it recorded: names and keys that depend on neither time nor chance.

/** No wrapper, to see the program itself. */
async function none(sdk) {
  return { wrapped: sdk, traces: async () => [] };
}

/** Spans of OpenInference, in memory. */
async function openinference(sdk) {
  const { ClaudeAgentSDKInstrumentation } = await import(
    '@arizeai/openinference-instrumentation-claude-agent-sdk'
  );
  const { BasicTracerProvider, InMemorySpanExporter, SimpleSpanProcessor } = await import(
    '@opentelemetry/sdk-trace-base'
  );
  const exporter = new InMemorySpanExporter();
  const tracerProvider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const instrumentation = new ClaudeAgentSDKInstrumentation({ tracerProvider });
  return {
    wrapped: { ...sdk, ...instrumentation.manuallyInstrument({ ...sdk }) },
    traces: async () =>
      exporter
        .getFinishedSpans()
        .map(({ name, status, attributes }) => [name, status.code, ...Object.keys(attributes).sort()]),
  };
}

/** Runs of LangSmith; what it would send is kept instead. */
async function langsmith(sdk) {
  process.env.LANGSMITH_TRACING = 'true';
  const { Client } = await import('langsmith');
  const { wrapClaudeAgentSDK } = await import('langsmith/experimental/anthropic');
  const runs = new Map();
  class Kept extends Client {
    async createRun(run) {
      runs.set(run.id, { ...run });
    }
    async updateRun(id, run) {
      runs.set(id, { ...runs.get(id), ...run });
    }
    async awaitPendingTraceBatches() {}
  }
  const client = new Kept({ apiUrl: 'http://127.0.0.1:9', apiKey: 'made-up', autoBatchTracing: false });
  return {
    wrapped: wrapClaudeAgentSDK({ ...sdk }, { client, tracingEnabled: true }),
    traces: async () =>
      [...runs.values()].map(({ name, run_type: type, error, outputs }) => [
        name,
        type,
        error ?? 'no error',
        ...Object.keys(outputs ?? {}).sort(),
      ]),
  };
}

/** Spans of Braintrust, in its own logger for tests. */
async function braintrust(sdk) {
  const { _exportsForTestingOnly: testing, initLogger, wrapClaudeAgentSDK } = await import('braintrust');
  await testing.setInitialTestState();
  await testing.simulateLoginForTests();
  const logger = testing.useTestBackgroundLogger();
  initLogger({ projectName: 'coxswain', projectId: 'made-up' });
  return {
    wrapped: wrapClaudeAgentSDK({ ...sdk }),
    traces: async () =>
      (await logger.drain()).map(({ span_attributes: { name, type } = {}, error, output }) => [
        name,
        type,
        error ?? 'no error',
        typeof output,
      ]),
  };
}

export const wrappers = new Map(Object.entries({ none, openinference, langsmith, braintrust }));
