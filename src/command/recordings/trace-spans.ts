import { OtlpDocument } from '../../bridges/otel/otlp-document.js';
import { recordingSpans } from '../../bridges/otel/recording-spans.js';
import type { SpanOptions } from '../../bridges/otel/spans/conversation-spans.js';
import { packageVersion } from '../../wire/package/built-file.js';
import { errorText } from '../../wire/util/error-text.js';
import { CoxswainError } from '../../wire/util/errors.js';

/** The spans of a recording as text. */
export async function* spansText(source: string, options: SpanOptions): AsyncGenerator<string> {
  yield `${JSON.stringify(await spansOf(source, options))}\n`;
}

/** How long a collector may take to accept the spans. */
const SEND_MS = 30_000;

/** Sends the spans of a recording to a collector. */
export async function sendSpans(
  source: string,
  endpoint: string,
  options: SpanOptions,
  env: Readonly<Record<string, string | undefined>>,
): Promise<{ readonly endpoint: string; readonly spans: number }> {
  const url = tracesUrl(endpoint);
  const spans = await spansOf(source, options);
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headersOf(env.OTEL_EXPORTER_OTLP_HEADERS) },
    body: JSON.stringify(spans),
    signal: AbortSignal.timeout(SEND_MS),
  }).catch((error: unknown) => {
    throw new CoxswainError('EXPORT_FAILED', `${url} could not be reached: ${errorText(error)}`, {
      cause: error,
    });
  });
  if (!response.ok) throw new CoxswainError('EXPORT_FAILED', `${url} answered ${response.status}.`);
  return { endpoint: url, spans: spans.size };
}

async function spansOf(source: string, options: SpanOptions): Promise<OtlpDocument> {
  const spans = new OtlpDocument(packageVersion());
  await recordingSpans(source, spans, options);
  return spans;
}

/** The collector's address is given without its path, as in `OTEL_EXPORTER_OTLP_ENDPOINT`. */
function tracesUrl(endpoint: string): string {
  if (!URL.canParse(endpoint)) throw new CoxswainError('OPTION_INVALID', `${endpoint} is not an address.`);
  const url = new URL(endpoint);
  if (!url.pathname.endsWith('/v1/traces')) url.pathname = `${url.pathname.replace(/\/$/, '')}/v1/traces`;
  return url.href;
}

/** Comma-separated `key=value` pairs, as the OpenTelemetry SDKs take them. */
function headersOf(text = ''): Readonly<Record<string, string>> {
  const pairs = text.split(',').map((pair) => pair.split('='));
  return Object.fromEntries(
    pairs.flatMap(([key = '', ...rest]) =>
      key.trim() === '' ? [] : [[key.trim(), decodeURIComponent(rest.join('=').trim())]],
    ),
  );
}
