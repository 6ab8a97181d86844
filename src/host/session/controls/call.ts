import type { RequestOptions } from '../../../wire/peer/control-peer.js';
import type { HostRequestName } from '../../../wire/protocol/catalog/catalog.js';
import type { HostAnswer, HostRequestParams } from '../../../wire/protocol/catalog/types.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import { type CamelKeys, camelKeys } from '../../../wire/util/camel-keys.js';

/** The answer to a control method: top-level keys in camelCase, deeper levels as on the wire. */
export type ControlAnswer<Name extends HostRequestName> = CamelKeys<HostAnswer<Name>>;

/** Any subtype of a control request; known ones are typed. */
export type RequestName = HostRequestName | (string & {});

/** The fields of a control request besides its subtype: typed for known requests, open for others. */
export type RequestParams<Name extends RequestName> = Name extends HostRequestName
  ? HostRequestParams<Name>
  : WireObject;

/** The CLI's answer to a control request, as on the wire: typed for known requests, open for others. */
export type RequestAnswer<Name extends RequestName> = Name extends HostRequestName
  ? HostAnswer<Name>
  : WireObject;

/** Sends a request that is in the catalog. Undefined parameters are left out. */
export type Call = <Name extends HostRequestName>(
  subtype: Name,
  params: HostRequestParams<Name>,
  options?: RequestOptions,
) => Promise<ControlAnswer<Name>>;

/** Sends any request and resolves to its answer as on the wire. */
export type Control = (
  subtype: string,
  params: WireObject,
  options: RequestOptions | undefined,
) => Promise<WireObject>;

/** Wraps a session's untyped call in the typed one that the control methods share. */
export function callThrough(control: Control): Call {
  return <Name extends HostRequestName>(
    subtype: Name,
    params: HostRequestParams<Name>,
    options?: RequestOptions,
  ) =>
    // The type is assumed from the catalog: strict posture and the probes compare it with what CLIs really send.
    control(subtype, withoutUndefined(params), options).then((answer) =>
      camelKeys(answer as HostAnswer<Name>),
    );
}

function withoutUndefined(params: object): WireObject {
  if (!Object.values(params).includes(undefined)) return params as WireObject;
  return Object.fromEntries(Object.entries(params).filter(([, value]) => value !== undefined));
}
