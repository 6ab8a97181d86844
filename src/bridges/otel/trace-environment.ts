import { type Context, context, isSpanContextValid, trace } from '@opentelemetry/api';

/**
 * The environment variables that make a CLI's own spans part of the active trace, for the option `env`. Empty if no
 * span is active. CLIs read them at startup; old ones ignore them.
 */
export function traceEnvironment(of: Context = context.active()): Readonly<Record<string, string>> {
  const found = trace.getSpanContext(of);
  if (found === undefined || !isSpanContextValid(found)) return {};
  const { traceId, spanId, traceFlags, traceState } = found;
  const flags = traceFlags.toString(16).padStart(2, '0');
  const state = traceState?.serialize() ?? '';
  return { TRACEPARENT: `00-${traceId}-${spanId}-${flags}`, ...(state === '' ? {} : { TRACESTATE: state }) };
}
