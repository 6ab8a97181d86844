import type { RequestOptions } from '../../peer/control-peer.js';
import type { WireObject } from '../../protocol/frames.js';
import type { Call, ControlAnswer } from './call.js';

/** Control methods about the Chrome extension. */
export class ChromeControls {
  readonly #call: Call;

  constructor(call: Call) {
    this.#call = call;
  }

  /** Reports whether the Chrome extension is installed, connected and allowed, as the CLI's dialog shows it. */
  dialog(options?: RequestOptions): Promise<ControlAnswer<'get_chrome_dialog'>> {
    return this.#call('get_chrome_dialog', {}, options);
  }

  /** Lists the browsers that the Chrome extension is connected to. */
  browsers(options?: RequestOptions): Promise<ControlAnswer<'get_chrome_browsers'>> {
    return this.#call('get_chrome_browsers', {}, options);
  }

  /** Picks the browser that the Chrome tools work in. */
  selectBrowser(deviceId: string, options?: RequestOptions): Promise<ControlAnswer<'select_chrome_browser'>> {
    return this.#call('select_chrome_browser', { device_id: deviceId }, options);
  }

  /** Passes knowledge about browsers to a session that runs elsewhere; keys as on the wire. */
  async setBrowserHints(hints: WireObject, options?: RequestOptions): Promise<void> {
    await this.#call('set_chrome_browser_hints', hints, options);
  }
}
