import type { Clock } from '../../../wire/util/clock.js';
import type { KeyedQueue } from '../../../wire/util/keyed-queue.js';
import type { Capabilities } from '../../cli/capabilities.js';
import type { OtherHost } from '../../core/connection/launch.js';
import type { DynamicServers } from '../servers/dynamic-servers.js';
import type { McpTool } from '../servers/mcp-tools.js';
import type { SessionServers } from '../servers/session-servers.js';
import type { TaskList } from './task-list.js';

/** What the endpoints need to know about the current CLI. */
export interface CliFacts {
  readonly capabilities: Capabilities;
  /** The host that has it, where that is another one. */
  readonly otherHost?: OtherHost | undefined;
  /** The home folder of the user that it runs as, where that is on this machine. */
  readonly home?: string | undefined;
  /** The servers that its command line named. */
  readonly launched: ReadonlySet<string>;
  readonly dynamic: DynamicServers;
  /** Changes of one server come one after the other: two connections at once would leave one behind. */
  readonly serverQueue: KeyedQueue;
  /** The servers that the session wants, and those that run in this process. */
  readonly servers: SessionServers;
  readonly tasks: TaskList;
  readonly clock: Clock;
  /** Asks an in-process server of this host for its tools; undefined for every other server. */
  readonly ownTools: (server: string) => Promise<readonly McpTool[]> | undefined;
}

/** Gives the facts once the session is ready. */
export type GetFacts = () => Promise<CliFacts>;
