import type { OpenParams } from '../../entry/remote/contract.js';
import type { SessionOptions } from '../../host/session/session-options.js';
import type { Clock } from '../../wire/util/clock.js';
import type { Budgets } from '../manager/money/spending.js';
import type { RateLimits } from './api/rate-limit.js';
import type { ServeSocket } from './http/other-sockets.js';
import type { LogLimits } from './log/event-log.js';
import type { SessionListener, SessionSource } from './sessions/session-source.js';
import type { OutletLimits } from './socket/outlet.js';

/** The options of a console server. */
export interface ConsoleOptions {
  /** The port to listen on. Default: any free one. */
  readonly port?: number | undefined;
  /** The address to listen on. Default: only this machine. Any other needs your own `token`. */
  readonly host?: string | undefined;
  /** The token that allows everything. Default: a random one. Create more keys with `coxswain console keys`. */
  readonly token?: string | undefined;
  /** A second token for read-only access; true for a random one. Default: none. */
  readonly watchToken?: string | boolean | undefined;
  /** A certificate and its key, as PEM; the server then uses HTTPS. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  /** Additional host names of the server, such as the name of a proxy. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Origins whose pages may use the HTTP API, such as `https://tools.example`. Default: none but the server's own. */
  readonly apiOrigins?: readonly string[] | undefined;
  /** Hosts on this machine or its network that webhooks may use. Default: none. */
  readonly webhookHosts?: readonly string[] | undefined;
  /**
   * The public address of the server, such as `https://coxswain.example`, for answer URLs in webhooks. Default: its
   * origin.
   */
  readonly publicUrl?: string | undefined;
  /** The folders below which sessions may work. Default: the current one. */
  readonly roots?: readonly string[] | undefined;
  /** Lets clients turn off all permission checks. Default: false. */
  readonly allowBypass?: boolean | undefined;
  /** The folder for sessions. Default: `coxswain/console` in the user's state folder. */
  readonly stateFolder?: string | undefined;
  /** Options for each CLI, such as `cli` and `env`; options from clients take precedence. */
  readonly session?: SessionOptions | ((opened: OpenParams) => SessionOptions) | undefined;
  /** The CLI's own folder, where earlier conversations are searched. */
  readonly configDir?: string | undefined;
  /** Marks the CLIs as emulated, with suggested messages. */
  readonly demo?: { readonly suggestions: readonly string[] } | undefined;
  /**
   * How many CLIs may run at once. Other sessions wait for a slot, and idle ones give up theirs. Default: as many as
   * sessions.
   */
  readonly maxRunning?: number | undefined;
  /**
   * How long a session may be idle without viewers before it is parked, in milliseconds. A parked session has no CLI
   * until the next message. Default: parked only when another session needs its slot.
   */
  readonly idleMs?: number | undefined;
  /** Which session to park first: as `parkBy` of a manager. Default: `idle`. */
  readonly parkBy?: 'idle' | 'cost' | undefined;
  /**
   * What happens to a page's message at a usage limit: it waits until the limit ends and is sent again, or its turn
   * fails. Messages to a program's session always fail. Default: wait.
   */
  readonly onLimit?: 'wait' | 'fail' | undefined;
  /** Sessions that wait for the same limit continue spread over this time, in milliseconds. Default: 1 minute. */
  readonly limitSpreadMs?: number | undefined;
  /**
   * Lets new messages wait while a usage window of their login (5 hours, 7 days) is used to this share or more, such as 0.9.
   * What has begun goes on; messages to a program's session fail. Default: no waiting.
   */
  readonly holdAbove?: number | undefined;
  /**
   * What may be spent before a session asks, in US dollars: per session, per key (`owner`), per day,
   * and in total. Default: no limit.
   */
  readonly budgets?: Budgets | undefined;
  /** The limits of the server. */
  readonly limits?: ConsoleLimits | undefined;
  /** Called when {@link Console.pageUrl} was used, with the next one. */
  readonly onPageUrlUsed?: ((next: string) => void) | undefined;
  /** Serves other sockets, by path, for holders of tokens that may act; the commands use it for editors. @internal */
  readonly sockets?: Readonly<Record<string, ServeSocket>> | undefined;
  /** Sessions of other machines instead of its own. @internal */
  readonly elsewhere?: ((listener: SessionListener) => Promise<SessionSource>) | undefined;
  /** @internal */
  readonly clock?: Clock | undefined;
}

/** The limits of a server. */
export interface ConsoleLimits {
  /** The maximum number of sessions with a CLI. Default: 100. */
  readonly sessions?: number | undefined;
  /** How many ended sessions to keep. Default: 200. */
  readonly ended?: number | undefined;
  /** The maximum number of clients at once. Default: 500. */
  readonly clients?: number | undefined;
  /** The maximum size of a client message, in bytes. Default: 32 MiB. */
  readonly message?: number | undefined;
  /** Requests of one key to the HTTP API. Default: 1,200 per minute, 300 at once. */
  readonly requests?: RateLimits | undefined;
  /** How far one client may lag. */
  readonly outlet?: OutletLimits | undefined;
  /** How many events of each session to keep. */
  readonly log?: LogLimits | undefined;
  /** The memory of a CLI with its processes above which it is shown as too large, in bytes. Default: 2 GiB. */
  readonly memory?: number | undefined;
  /** How long a program may be disconnected before the server answers its hooks, in milliseconds. Default: 5 s. */
  readonly ownerGraceMs?: number | undefined;
}

/** A running console server. */
export interface Console extends AsyncDisposable {
  /**
   * The address with the token after `#`, for programs. For browsers use {@link pageUrl}, because they remember
   * addresses.
   */
  readonly url: string;
  /** A one-time address for a browser. It works once, so a copy in the browser's history is useless. */
  readonly pageUrl: string;
  /** The address for programs. */
  readonly origin: string;
  /** The token of the owner. */
  readonly token: string;
  /** The address for read-only access, with its token; undefined if there is none. */
  readonly watchUrl: string | undefined;
  /** The token for read-only access, if there is one. */
  readonly watchToken: string | undefined;
  /** The port that it listens on. */
  readonly port: number;
  /** What is stored but cannot be used, such as a damaged session or key, and why. It is kept. */
  readonly problems: readonly string[];
  /** Ends all sessions and the server; resolves when nothing is left running. May be called twice. */
  close(): Promise<void>;
}
