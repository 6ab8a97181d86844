import {
  contentOf,
  filledStringIn,
  isObject,
  objectsIn,
  type WireObject,
} from '../../../wire/protocol/frames.js';
import { RecentMap } from '../../../wire/util/maps.js';
import type { MessageDispatcher } from '../../core/messages/message-dispatcher.js';

/** A tool call that the CLI refused without asking anybody: by a rule, by its mode, or by its own check in auto mode. */
export interface Denial {
  /** The tool. */
  readonly tool: string;
  /** The id of the call. */
  readonly toolUseId: string;
  /** The input of the call; undefined if the call was not reported. */
  readonly input: WireObject | undefined;
  /** The subagent that made the call. */
  readonly agentId: string | undefined;
  /** Who refused it: `classifier` in auto mode, `rule`, `mode` or another word of the CLI. */
  readonly by: string | undefined;
  /** Why, in the words of who refused it. */
  readonly reason: string | undefined;
  /** What the model is told. */
  readonly message: string;
}

/** A denial comes right after its call; a message has few calls. */
const MOST_CALLS = 100;

/** Tells of calls that the CLI refuses. Older CLIs report them only with the result of the turn. */
export function followDenials(
  messages: Pick<MessageDispatcher, 'on'>,
  onDenial: (denial: Denial) => void,
): void {
  let inputs = new RecentMap<string, WireObject>(MOST_CALLS);
  messages.on('assistant', (frame) => {
    for (const { type, id, input } of objectsIn(contentOf(frame)))
      if (type === 'tool_use' && typeof id === 'string' && isObject(input)) inputs.set(id, input);
  });
  messages.on('result', () => {
    inputs = new RecentMap(MOST_CALLS);
  });
  messages.on('system/permission_denied', (denied) =>
    onDenial(readDenial(denied, inputs.get(String(denied.tool_use_id)))),
  );
}

function readDenial(denied: WireObject, input: WireObject | undefined): Denial {
  return {
    tool: String(denied.tool_name),
    toolUseId: String(denied.tool_use_id),
    input,
    agentId: filledStringIn(denied.agent_id),
    by: filledStringIn(denied.decision_reason_type),
    reason: filledStringIn(denied.decision_reason),
    message: filledStringIn(denied.message) ?? '',
  };
}
