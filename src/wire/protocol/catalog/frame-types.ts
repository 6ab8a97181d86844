import type { CliRequestName, HostMessageName, HostRequestName } from './catalog.js';
import type { EnvelopeMap } from './inferred.schemas.js';
import type { CliMessage, CliRequestBody, HostMessage, HostRequestBody, UnknownMessage } from './types.js';
import type { UnknownName } from './unknown-name.js';

/** The body of a request whose subtype the catalog does not know. */
export interface UnknownRequest {
  /** The subtype, unchanged. */
  readonly subtype: UnknownName;
  /** The other fields. */
  readonly [key: string]: unknown;
}

/** A control request as on the wire. */
export interface ControlRequest<Body> {
  /** `control_request`. */
  readonly type: 'control_request';
  /** The id that the answer must have. */
  readonly request_id: string;
  /** The body of the request. */
  readonly request: Body;
  /** The other fields. */
  readonly [key: string]: unknown;
}

/** Control frames that both sides send: answers, cancels and keep-alives. */
export type ControlReply = EnvelopeMap['control_response' | 'control_cancel_request' | 'keep_alive'];

/** The body of any request that a CLI sends; narrow it by `subtype`. */
export type AnyCliRequest =
  | { [Name in CliRequestName]: CliRequestBody<Name> }[CliRequestName]
  | UnknownRequest;

/** The body of any request that a host sends; narrow it by `subtype`. */
export type AnyHostRequest =
  | { [Name in HostRequestName]: HostRequestBody<Name> }[HostRequestName]
  | UnknownRequest;

/** Any frame from a CLI, as on the wire: a message or a control frame. Narrow it by `type`. */
export type CliFrame = CliMessage | ControlRequest<AnyCliRequest> | ControlReply;

/** Any frame from a host, as on the wire: a message or a control frame. Narrow it by `type`. */
export type HostFrame =
  | { [Name in HostMessageName]: HostMessage<Name> }[HostMessageName]
  | UnknownMessage
  | ControlRequest<AnyHostRequest>
  | ControlReply;
