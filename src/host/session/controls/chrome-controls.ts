import type { RequestOptions } from '../../../wire/peer/control-peer.js';
import type { WireObject } from '../../../wire/protocol/frames.js';
import { CHROME_SERVER, type ChromeStatus, chromeStatus } from '../endpoints/chrome.js';
import type { GetFacts } from '../endpoints/cli-facts.js';
import type { McpServerAnswer } from '../servers/mcp-answer.js';
import { changeServer } from '../servers/mcp-switch.js';
import type { Call, ControlAnswer } from './call.js';
import type { OneCall } from './one-call.js';

/** Control methods about the Chrome extension. */
export class ChromeControls {
  readonly #call: Call;
  readonly #facts: GetFacts;
  readonly #oneCall: OneCall;

  constructor(call: Call, facts: GetFacts, oneCall: OneCall) {
    this.#call = call;
    this.#facts = facts;
    this.#oneCall = oneCall;
  }

  /** Returns the state of the Chrome extension; fields that this CLI cannot report are null. */
  status(options?: RequestOptions): Promise<ChromeStatus> {
    return this.#oneCall('chrome.status', options, (inTime) =>
      chromeStatus({ call: this.#call, facts: this.#facts, options: inTime }),
    );
  }

  /** Reconnects the MCP server that connects the CLI to the extension. */
  reconnect(options?: RequestOptions): Promise<McpServerAnswer> {
    return this.#oneCall('chrome.reconnect', options, (inTime) =>
      changeServer('mcp_reconnect', CHROME_SERVER, { call: this.#call, facts: this.#facts, options: inTime }),
    );
  }

  /** Reports whether the Chrome extension is installed, connected and allowed, as in the CLI's dialog. */
  dialog(options?: RequestOptions): Promise<ControlAnswer<'get_chrome_dialog'>> {
    return this.#call('get_chrome_dialog', {}, options);
  }

  /** Lists the browsers that the Chrome extension is connected to. This needs a login; the answer has never been observed, so check its keys before you rely on them. */
  browsers(options?: RequestOptions): Promise<ControlAnswer<'get_chrome_browsers'>> {
    return this.#call('get_chrome_browsers', {}, options);
  }

  /** Selects the browser for the Chrome tools. */
  selectBrowser(deviceId: string, options?: RequestOptions): Promise<ControlAnswer<'select_chrome_browser'>> {
    return this.#call('select_chrome_browser', { device_id: deviceId }, options);
  }

  /** Passes information about browsers to a session that runs elsewhere; keys as on the wire. */
  async setBrowserHints(hints: WireObject, options?: RequestOptions): Promise<void> {
    await this.#call('set_chrome_browser_hints', hints, options);
  }
}
