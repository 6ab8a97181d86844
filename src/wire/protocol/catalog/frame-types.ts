import type { CliRequestName, HostMessageName, HostRequestName } from './catalog.js';
import type { EnvelopeMap } from './inferred.schemas.js';
import type { CliMessage, CliRequestBody, HostMessage, HostRequestBody, UnknownMessage } from './types.js';
import type { UnknownName } from './unknown-name.js';

/** The body of a request whose subtype the catalog does not know. */
export interface UnknownRequest {
  /** Its subtype, as it came. */
  readonly subtype: UnknownName;
  /** What else it carries. */
  readonly [key: string]: unknown;
}

/** A control request as it is on the wire. */
export interface ControlRequest<Body> {
  /** `control_request`. */
  readonly type: 'control_request';
  /** The id that the answer must have. */
  readonly request_id: string;
  /** What is asked. */
  readonly request: Body;
  /** What else it carries. */
  readonly [key: string]: unknown;
}

/** Control traffic that both sides send: answers, cancels and signs of life. */
export type ControlReply = EnvelopeMap['control_response' | 'control_cancel_request' | 'keep_alive'];

/** The body of any request that a CLI sends; narrow it by `subtype`. */
export type AnyCliRequest =
  | { [Name in CliRequestName]: CliRequestBody<Name> }[CliRequestName]
  | UnknownRequest;

/** The body of any request that a host sends; narrow it by `subtype`. */
export type AnyHostRequest =
  | { [Name in HostRequestName]: HostRequestBody<Name> }[HostRequestName]
  | UnknownRequest;

/** Whatever a CLI writes, as it is on the wire: a message or control traffic. Narrow it by `type`. */
export type CliFrame = CliMessage | ControlRequest<AnyCliRequest> | ControlReply;

/** Whatever a host writes, as it is on the wire: a message or control traffic. Narrow it by `type`. */
export type HostFrame =
  | { [Name in HostMessageName]: HostMessage<Name> }[HostMessageName]
  | UnknownMessage
  | ControlRequest<AnyHostRequest>
  | ControlReply;
