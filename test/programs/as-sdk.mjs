// For programs that import the official SDK themselves: node --import ./as-sdk.mjs gives them the module that
// COXSWAIN_SDK names instead.
import { register } from 'node:module';

const hook = `export function resolve(specifier, context, next) {
  if (specifier !== '@anthropic-ai/claude-agent-sdk') return next(specifier, context);
  return { url: ${JSON.stringify(process.env.COXSWAIN_SDK)}, shortCircuit: true };
}`;
register(`data:text/javascript,${encodeURIComponent(hook)}`);
