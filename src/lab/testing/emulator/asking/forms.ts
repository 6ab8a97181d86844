import { isObject, type RequestBody, type WireObject } from '../../../../wire/protocol/frames.js';
import { errorText } from '../../../../wire/util/error-text.js';
import type { Cli, Scene } from '../cli.js';
import { forever } from '../pipes/timing.js';

/** A form that an MCP server wants the user to fill in. */
export interface Form {
  readonly server: string;
  readonly message: string;
  /** Further fields of the request. */
  readonly fields: WireObject;
}

type Asking = Pick<Scene, 'cli' | 'turn'>;

/** Asks the host with a form; versions that do not withdraw it leave it open when the turn is interrupted. */
export async function askForm({ cli, turn }: Asking, { server, message, fields }: Form): Promise<unknown> {
  const body = {
    subtype: 'elicitation',
    mcp_server_name: server,
    message,
    mode: 'form',
    requested_schema: { type: 'object', properties: {} },
    ...propertyOrder(fields.requested_schema),
    ...fields,
  };
  if (cli.traits.withdrawsForms) return askedInTurn(body, { cli, turn });
  return Promise.race([asked(cli, body), forever(turn.signal)]);
}

function propertyOrder(schema: unknown): WireObject {
  const properties = isObject(schema) ? schema.properties : undefined;
  return isObject(properties) ? { property_order: Object.keys(properties) } : {};
}

async function asked(cli: Cli, body: RequestBody): Promise<unknown> {
  return cli.ask(body).catch((error) => ({ refused: errorText(error) }));
}

/** Asks the host; an interrupt of the turn withdraws the request. */
export async function askedInTurn(
  body: RequestBody,
  { cli, turn }: Asking,
  deadlineMs?: number,
): Promise<unknown> {
  try {
    return await cli.ask(body, { signal: turn.signal, deadlineMs });
  } catch (error) {
    turn.signal.throwIfAborted();
    return { refused: errorText(error) };
  }
}
