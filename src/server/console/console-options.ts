import type { OpenParams } from '../../entry/remote/contract.js';
import type { SessionOptions } from '../../host/session/session-options.js';
import type { Clock } from '../../wire/util/clock.js';
import type { Budgets } from '../manager/money/spending.js';
import type { RateLimits } from './api/rate-limit.js';
import type { ServeSocket } from './http/other-sockets.js';
import type { LogLimits } from './log/event-log.js';
import type { SessionListener, SessionSource } from './sessions/session-source.js';
import type { OutletLimits } from './socket/outlet.js';

/** What a console server can be told. */
export interface ConsoleOptions {
  /** The port to listen on. Default: any free one. */
  readonly port?: number | undefined;
  /** The address to listen on. Default: this machine alone. Another one needs a `token` of your own. */
  readonly host?: string | undefined;
  /** Lets its holder do everything. Default: a random one. Further keys are made by `coxswain console keys`. */
  readonly token?: string | undefined;
  /** Another token, whose holders may look and nothing else: a random one for true. Default: none. */
  readonly watchToken?: string | boolean | undefined;
  /** A certificate and its key, as PEM: the server speaks HTTPS then. */
  readonly tls?: { readonly cert: string; readonly key: string } | undefined;
  /** Further names by which the server may be called, such as that of a proxy before it. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Origins whose pages may use the HTTP API, such as `https://tools.example`. Default: none but the server's own. */
  readonly apiOrigins?: readonly string[] | undefined;
  /** Hosts of this machine or its network that webhooks may be sent to. Default: none. */
  readonly webhookHosts?: readonly string[] | undefined;
  /** How others reach the server, such as `https://coxswain.example`: webhooks are told to answer there. Default: its origin. */
  readonly publicUrl?: string | undefined;
  /** The folders below which sessions may work. Default: the current one. */
  readonly roots?: readonly string[] | undefined;
  /** Lets clients switch all permission checks off; they may not unless this is true. */
  readonly allowBypass?: boolean | undefined;
  /** Where sessions are kept. Default: `coxswain/console` in the state folder of the user. */
  readonly stateFolder?: string | undefined;
  /** Options for each CLI that is started, such as `cli` and `env`; what a client asks for comes before them. */
  readonly session?: SessionOptions | ((opened: OpenParams) => SessionOptions) | undefined;
  /** The CLI's own folder, where earlier conversations are looked for. */
  readonly configDir?: string | undefined;
  /** Says that CLIs are emulated, and what a person could say to them. */
  readonly demo?: { readonly suggestions: readonly string[] } | undefined;
  /** How many CLIs may run at once: sessions wait for a place, and idle ones give theirs up. Default: as many as sessions. */
  readonly maxRunning?: number | undefined;
  /**
   * Parks a session that was idle this long with nobody looking on, in milliseconds: it has no CLI until the next message.
   * Default: only when another one needs its place.
   */
  readonly idleMs?: number | undefined;
  /**
   * What a message of a page does at a usage limit: it waits until the limit ends and is sent again, or its turn fails. Those to
   * a program's session always fail. Default: wait.
   */
  readonly onLimit?: 'wait' | 'fail' | undefined;
  /** Sessions that wait for the same limit go on within so many milliseconds. Default: 1 minute. */
  readonly limitSpreadMs?: number | undefined;
  /**
   * What may be spent before a session asks, in US dollars: by each session, by all that were opened with one key (`owner`), on a day,
   * in all. Default: no limit.
   */
  readonly budgets?: Budgets | undefined;
  /** How much may be asked of the server. */
  readonly limits?: ConsoleLimits | undefined;
  /** The address of {@link Console.pageUrl} was used; here is the next one. */
  readonly onPageUrlUsed?: ((next: string) => void) | undefined;
  /** Serves other sockets, by path, for holders of tokens that may act; the commands use it for editors. @internal */
  readonly sockets?: Readonly<Record<string, ServeSocket>> | undefined;
  /** Sessions of other machines in place of its own. @internal */
  readonly elsewhere?: ((listener: SessionListener) => Promise<SessionSource>) | undefined;
  /** @internal */
  readonly clock?: Clock | undefined;
}

/** How much may be asked of a server. */
export interface ConsoleLimits {
  /** Sessions with a CLI at once. Default: 100. */
  readonly sessions?: number | undefined;
  /** Ended sessions that are kept. Default: 200. */
  readonly ended?: number | undefined;
  /** Clients at once. Default: 500. */
  readonly clients?: number | undefined;
  /** Bytes of one message of a client. Default: 32 MiB. */
  readonly message?: number | undefined;
  /** Requests of one key to the HTTP API. Default: 1,200 per minute, 300 at once. */
  readonly requests?: RateLimits | undefined;
  /** How far one client may be behind. */
  readonly outlet?: OutletLimits | undefined;
  /** How much of each session's events is kept. */
  readonly log?: LogLimits | undefined;
  /** From how much memory on a CLI with its processes is shown as too large, in bytes. Default: 2 GiB. */
  readonly memory?: number | undefined;
  /** How long a program may be gone before its hooks are answered for, in milliseconds. Default: 5 s. */
  readonly ownerGraceMs?: number | undefined;
}

/** A console server that runs. */
export interface Console extends AsyncDisposable {
  /** The address with the token behind `#`, for programs. A browser would remember it; give it {@link pageUrl}. */
  readonly url: string;
  /** An address for a browser: it lets in one, once, so that what the browser remembers of it is worth nothing. */
  readonly pageUrl: string;
  /** The address for programs. */
  readonly origin: string;
  /** The token of the owner. */
  readonly token: string;
  /** The address with which programs may look and nothing else, and its token; undefined where there is none. */
  readonly watchUrl: string | undefined;
  /** The token of those who may only watch, if there is one. */
  readonly watchToken: string | undefined;
  /** The port that it listens on. */
  readonly port: number;
  /** Why sessions of earlier are not listed: files that cannot be read. They are left as they are. */
  readonly problems: readonly string[];
  /** Ends all sessions and the server; resolves when nothing is left running. May be called twice. */
  close(): Promise<void>;
}
