import { objectIn, type WireObject } from '../../../wire/protocol/frames.js';
import { faultOf, kinds, type OptionKind, openShape } from '../../../wire/util/option-checks.js';

/** Reads a text of the bus. @throws if it is not of this kind: anybody with access to the engine may send something. */
export function sentObject(text: string, kind: OptionKind): WireObject {
  const object = objectIn(text);
  if (typeof object === 'string') throw new TypeError(`it is ${object}.`);
  const fault = faultOf(kind, object);
  if (fault !== undefined) throw new TypeError(`it is no message of a fleet: ${fault}.`);
  return object;
}

/** A command with its sender. Its parameters are checked when it runs. */
export const commandKind = openShape({
  id: kinds.text,
  name: kinds.text,
  by: openShape({
    client: kinds.text,
    name: kinds.anyText,
    kind: kinds.text,
    role: kinds.text,
    key: kinds.text,
  }),
});
