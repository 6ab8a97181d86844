import { capabilitiesOf } from '../../../../../src/host/cli/capabilities.js';
import { MessageDispatcher } from '../../../../../src/host/core/messages/message-dispatcher.js';
import type {
  RequestAnswer,
  RequestName,
  RequestParams,
} from '../../../../../src/host/session/controls/call.js';
import { Controls } from '../../../../../src/host/session/controls/controls.js';
import type { OneCall } from '../../../../../src/host/session/controls/one-call.js';
import type { CliFacts } from '../../../../../src/host/session/endpoints/cli-facts.js';
import { CliState } from '../../../../../src/host/session/endpoints/cli-state.js';
import { SessionServers } from '../../../../../src/host/session/servers/session-servers.js';
import type { RequestOptions } from '../../../../../src/wire/peer/control-peer.js';
import type { WireObject } from '../../../../../src/wire/protocol/frames.js';
import { ManualClock } from '../../../../support/manual-clock.js';

/** One request as it would be sent to the CLI. */
export interface Recorded {
  readonly subtype: string;
  readonly params: WireObject;
  readonly options: RequestOptions | undefined;
}

/** Control methods whose requests are recorded instead of sent, all with the same answer. */
export class RecordingControls extends Controls {
  readonly sent: Recorded[] = [];
  readonly #answer: WireObject;

  constructor(answer: WireObject = {}) {
    super();
    this.#answer = answer;
  }

  control<Name extends RequestName>(
    subtype: Name,
    params?: RequestParams<Name>,
    options?: RequestOptions,
  ): Promise<RequestAnswer<Name>>;
  async control(subtype: string, params: WireObject = {}, options?: RequestOptions): Promise<WireObject> {
    this.sent.push({ subtype, params, options });
    return this.#answer;
  }

  protected get oneCall(): OneCall {
    return (_name, options, steps) => steps(options);
  }

  protected async facts(): Promise<CliFacts> {
    const clock = new ManualClock();
    const messages = new MessageDispatcher({ receive: () => {} });
    const servers = new SessionServers({}, { session: { id: 's' }, clock, onDiagnostic: () => {} });
    return new CliState({ launched: [], clock, servers, messages }).facts({
      capabilities: capabilitiesOf({ version: '2.1.326' }),
    });
  }
}
