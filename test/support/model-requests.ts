import type { ModelRequest } from '../../src/lab/testing/model/request.js';
import { readRequest } from '../../src/lab/testing/model/request.js';

const SESSION = '11111111-2222-4333-8444-555555555555';

/** The body of a CLI's conversation request; given keys override the defaults. */
export function mainBody(userText: string, extra: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    model: 'claude-sonnet-4-5',
    max_tokens: 32_000,
    stream: false,
    metadata: { user_id: `user_0_account__session_${SESSION}` },
    tools: [{ name: 'Bash', input_schema: {} }],
    system: [{ type: 'text', text: 'a system prompt' }],
    messages: [{ role: 'user', content: [{ type: 'text', text: userText }] }],
    ...extra,
  };
}

/** A parsed request, for tests of the code behind the server. */
export function modelRequest(
  body: Record<string, unknown>,
  overrides: Partial<ModelRequest> = {},
): ModelRequest {
  const raw = { method: 'POST', path: '/v1/messages', headers: {}, body, size: JSON.stringify(body).length };
  return { ...readRequest(raw), number: 1, kind: 'main', ...overrides };
}

/** The last message of a body that carries the results of tools. */
export function toolResultMessage(...texts: string[]): Record<string, unknown> {
  const content = texts.map((text, index) => ({
    type: 'tool_result',
    tool_use_id: `toolu_${index}`,
    content: [{ type: 'text', text }],
  }));
  return { role: 'user', content };
}
