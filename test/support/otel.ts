import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { onTestFinished } from 'vitest';
import { spanTree } from './span-tree.js';

/** OpenTelemetry's own SDK, with exporters that keep what they get. */
export function openTelemetry() {
  const exporter = new InMemorySpanExporter();
  const provider = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const metricExporter = new InMemoryMetricExporter(AggregationTemporality.CUMULATIVE);
  const reader = new PeriodicExportingMetricReader({ exporter: metricExporter });
  const meters = new MeterProvider({ readers: [reader] });
  onTestFinished(async () => {
    await provider.shutdown();
    await meters.shutdown();
  });
  const spans = () => exporter.getFinishedSpans();
  const metrics = async () => {
    await meters.forceFlush();
    return (metricExporter.getMetrics().at(-1)?.scopeMetrics ?? []).flatMap((scope) => scope.metrics);
  };
  return {
    tracer: provider.getTracer('test'),
    meter: meters.getMeter('test'),
    spans,
    span: (name: string): ReadableSpan => {
      const found = spans().find((span) => span.name === name);
      if (found === undefined) throw new Error(`no span ${name}`);
      return found;
    },
    tree: () => spanTree(spans().map(seen)),
    metrics: async (): Promise<readonly string[]> =>
      (await metrics()).map(({ descriptor }) => descriptor.name).toSorted(),
    /** The attributes of every measurement. */
    measured: async (): Promise<readonly object[]> =>
      (await metrics()).flatMap(({ dataPoints }) => dataPoints.map(({ attributes }) => attributes)),
  };
}

function seen(span: ReadableSpan) {
  return {
    id: span.spanContext().spanId,
    parent: span.parentSpanContext?.spanId,
    name: span.name,
    start: span.startTime[0] * 1e9 + span.startTime[1],
    failed: span.status.code === 2,
  };
}

/** Makes `context.active()` follow asynchronous calls, as the SDK for Node does. */
export function contextManager(): AsyncLocalStorageContextManager {
  return new AsyncLocalStorageContextManager().enable();
}

/** A collector on loopback that keeps the received bodies. */
export async function collector(status = 200) {
  const received: {
    readonly path: string;
    readonly headers: Record<string, unknown>;
    readonly body: string;
  }[] = [];
  const server = createServer((request, response) => {
    const pieces: Buffer[] = [];
    request.on('data', (piece: Buffer) => pieces.push(piece));
    request.on('end', () => {
      received.push({
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(pieces).toString(),
      });
      response.writeHead(status, { 'content-type': 'application/json' }).end('{}');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, received };
}
