/** One event of a stream of server-sent events. */
export interface ServerEvent {
  readonly event: string;
  readonly id: string | undefined;
  readonly data: string;
}

/** Reads server-sent events, one at a time. */
export async function* serverEvents(response: Response): AsyncGenerator<ServerEvent, void, undefined> {
  let rest = '';
  for await (const text of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    const blocks = `${rest}${text}`.split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) yield parse(block);
  }
}

function parse(block: string): ServerEvent {
  const fields = block.split('\n').map((line) => line.split(/: ?(.*)/s, 2));
  const of = (name: string) => fields.filter(([key]) => key === name).map(([, value = '']) => value);
  return { event: of('event')[0] ?? '', id: of('id')[0], data: of('data').join('\n') };
}
