import type { Clock } from '../../../wire/util/clock.js';
import type { KeyedQueue } from '../../../wire/util/keyed-queue.js';
import type { Capabilities } from '../../cli/capabilities.js';
import type { OtherHost } from '../../core/connection/launch.js';
import type { DynamicServers } from '../servers/dynamic-servers.js';
import type { McpTool } from '../servers/mcp-tools.js';
import type { SessionServers } from '../servers/session-servers.js';
import type { TaskList } from './task-list.js';

/** Facts about the current CLI that the endpoints need. */
export interface CliFacts {
  readonly capabilities: Capabilities;
  /** The host that owns it, if it is another one. */
  readonly otherHost?: OtherHost | undefined;
  /** The home folder of its user, if it runs on this machine. */
  readonly home?: string | undefined;
  /** The servers on its command line. */
  readonly launched: ReadonlySet<string>;
  readonly dynamic: DynamicServers;
  /** Serialises changes to one server: two connections at once would leak one. */
  readonly serverQueue: KeyedQueue;
  /** The servers that the session wants, and the in-process ones. */
  readonly servers: SessionServers;
  readonly tasks: TaskList;
  readonly clock: Clock;
  /** Asks an in-process server of this host for its tools; undefined for every other server. */
  readonly ownTools: (server: string) => Promise<readonly McpTool[]> | undefined;
}

/** Returns the facts once the session is ready. */
export type GetFacts = () => Promise<CliFacts>;
