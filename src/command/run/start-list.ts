import type { SessionState } from '../../host/core/connection/state.js';
import { objectsIn, type WireObject } from '../../wire/protocol/frames.js';
import type { Clock } from '../../wire/util/clock.js';
import { duration } from '../../wire/util/numbers.js';
import { plainLine } from '../../wire/util/plain.js';
import type { Screen } from '../terminal/screen.js';

/** Prints the startup steps, each with its duration. */
export class StartList {
  readonly #screen: Screen;
  readonly #clock: Clock;
  readonly #shown: boolean;
  #since: number;
  #serversShown = false;

  constructor(screen: Screen, clock: Clock, shown: boolean) {
    this.#screen = screen;
    this.#clock = clock;
    this.#shown = shown;
    this.#since = clock.now();
  }

  /** A step is done. */
  step(label: string): void {
    const now = this.#clock.now();
    if (this.#shown) this.#line(`${label} ${this.#screen.look.dim(duration(now - this.#since))}`);
    this.#since = now;
  }

  /** The session has completed another step. */
  state(state: SessionState, version: string | undefined): void {
    if (state === 'handshaking') this.step('started');
    if (state === 'ready')
      this.step(`ready${version === undefined ? '' : `, version ${plainLine(version, 40)}`}`);
  }

  /** The first `system/init` reports the state of the MCP servers. */
  message({ type, subtype, mcp_servers }: WireObject): void {
    if (this.#serversShown || type !== 'system' || subtype !== 'init') return;
    this.#serversShown = true;
    const servers = objectsIn(mcp_servers);
    if (servers.length === 0 || !this.#shown) return;
    const others = servers.filter(({ status }) => status !== 'connected');
    const names = others
      .map(({ name, status }) => `${plainLine(String(name), 40)} ${String(status)}`)
      .join(', ');
    const counts = `MCP servers: ${servers.length - others.length} of ${servers.length} connected`;
    this.#line(names === '' ? counts : `${counts} (${names})`);
  }

  #line(text: string): void {
    const { look } = this.#screen;
    this.#screen.note(`${look.green(look.good)} ${text}`);
  }
}
