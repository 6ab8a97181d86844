import type { ScriptedModel } from '../../src/lab/testing/model/scripted-model.js';
import type { WireObject } from '../../src/wire/protocol/frames.js';

/** Sends a body to the model as JSON. */
export function post(
  model: Pick<ScriptedModel, 'url'>,
  body: unknown,
  { path = '/v1/messages?beta=true', signal }: { path?: string; signal?: AbortSignal } = {},
): Promise<Response> {
  return fetch(`${model.url}${path}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': 'a-secret-key' },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  });
}

/** The body of an answer as an object. */
export async function jsonOf(response: Response): Promise<WireObject> {
  return (await response.json()) as WireObject;
}

/** The events of a streamed answer that was read to its end. */
export async function eventsOf(response: Response): Promise<WireObject[]> {
  return parseEvents(await response.text());
}

/** The complete events in a text; a truncated last one is left out. */
export function parseEvents(text: string): WireObject[] {
  const whole = text.slice(0, text.lastIndexOf('\n\n') + 2).split('\n\n');
  const data = whole.flatMap((event) => /^data: (.*)$/m.exec(event)?.[1] ?? []);
  return data.map((each) => JSON.parse(each) as WireObject);
}

/** Reads an answer until it breaks off; returns what arrived and the error. */
export async function readUntilBroken(response: Response): Promise<{ text: string; error: unknown }> {
  let text = '';
  const decoder = new TextDecoder();
  try {
    for await (const chunk of response.body ?? []) text += decoder.decode(chunk, { stream: true });
  } catch (error) {
    return { text, error };
  }
  return { text, error: undefined };
}
