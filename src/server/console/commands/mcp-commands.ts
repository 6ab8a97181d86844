import type { ChromeView, HookView, SessionCommands } from '../../../entry/remote/contract.js';
import type { McpServerMap } from '../../../host/mcp/server-option.js';
import { CHROME_SERVER } from '../../../host/session/endpoints/chrome.js';
import type { SupportName } from '../../../host/session/endpoints/support.js';
import type { Session } from '../../../host/session/session.js';
import { RefusedError } from '../../../wire/peer/refused-error.js';
import { objectsIn, type WireObject } from '../../../wire/protocol/frames.js';
import { kinds } from '../../../wire/util/option-checks.js';
import { requestBeyondAsking } from '../sessions/beyond-asking.js';
import { switchSetting } from '../sessions/session-settings.js';
import { asked, type CommandContext, type CommandTable, cli } from './command.js';

const aServer = { needs: { server: kinds.text } };
const someServers = { needs: { servers: kinds.record } };

/** The commands about MCP servers, and about Chrome, which is one of them. */
export const mcpCommands: CommandTable<
  Extract<keyof SessionCommands, `mcp.${string}` | `chrome.${string}` | 'supports' | 'hooks'>
> = {
  supports: {
    role: 'operator',
    acts: false,
    needs: { name: kinds.text },
    takes: { server: kinds.text },
    // The session refuses an invalid name.
    run: async ({ name, server }, context) =>
      (await cli(context)).supports(name as SupportName, { ...asked(context), server }),
  },
  'mcp.status': {
    role: 'operator',
    acts: false,
    run: async (_params, context) => {
      const session = await cli(context);
      const servers = await session.mcp.servers(asked(context));
      const add = await session.supports('mcp_set_servers', asked(context));
      return { servers, add, signIn: await session.supports('mcp_authenticate', asked(context)) };
    },
  },
  'mcp.add': {
    role: 'owner',
    acts: true,
    ...someServers,
    run: ({ servers }, context) => change('add', servers, context),
  },
  'mcp.set': {
    role: 'owner',
    acts: true,
    ...someServers,
    run: ({ servers }, context) => change('set', servers, context),
  },
  'mcp.remove': {
    role: 'owner',
    acts: true,
    ...aServer,
    run: async ({ server }, context) => (await cli(context)).mcp.remove(server, asked(context)),
  },
  'mcp.tools': {
    role: 'operator',
    acts: false,
    takes: { server: kinds.text },
    run: async ({ server }, context) => {
      const { tools } = await (await cli(context)).mcp.tools(server, asked(context));
      return { tools: tools.map((tool) => ({ ...tool })) };
    },
  },
  'mcp.reconnect': {
    role: 'owner',
    acts: true,
    ...aServer,
    run: async ({ server }, context) => (await cli(context)).mcp.reconnect(server, asked(context)),
  },
  'mcp.enable': {
    role: 'owner',
    acts: true,
    ...aServer,
    run: ({ server }, context) => turn('enable', server, context),
  },
  'mcp.disable': {
    role: 'owner',
    acts: true,
    ...aServer,
    run: ({ server }, context) => turn('disable', server, context),
  },
  'mcp.signIn': {
    role: 'owner',
    acts: true,
    ...aServer,
    run: async ({ server }, context) => {
      const { authUrl } = await (await cli(context)).mcp.authenticate(server, asked(context));
      return { address: typeof authUrl === 'string' ? authUrl : undefined };
    },
  },
  'mcp.signInDone': {
    role: 'owner',
    acts: true,
    needs: { server: kinds.text, address: kinds.text },
    run: async ({ server, address }, context) => {
      const { mcp } = await cli(context);
      await mcp.submitCallbackUrl(server, address, asked(context));
      await connectAnew(mcp, server, context);
      return {};
    },
  },
  'mcp.signOut': {
    role: 'owner',
    acts: true,
    ...aServer,
    run: async ({ server }, context) => {
      const { mcp } = await cli(context);
      await mcp.clearAuth(server, asked(context));
      await connectAnew(mcp, server, context);
      return {};
    },
  },
  hooks: {
    role: 'operator',
    acts: false,
    run: async (_params, context) => {
      const session = await cli(context);
      const list = await session.supports('get_hooks_listing', asked(context));
      if (list.how === 'no') return { hooks: [], list };
      const { hooks } = await session.control<string>('get_hooks_listing', {}, asked(context));
      return { hooks: objectsIn(hooks).map(hookView), list };
    },
  },
  'chrome.status': {
    role: 'operator',
    acts: false,
    run: async (_params, context) => {
      const session = await cli(context);
      const status = await session.chrome.status(asked(context));
      const reconnect = await session.supports('mcp_reconnect', { ...asked(context), server: CHROME_SERVER });
      return { ...status, reconnect, browsers: await browsersOf(session, context) };
    },
  },
  'chrome.select': {
    role: 'owner',
    acts: true,
    needs: { browser: kinds.text },
    run: async ({ browser }, context) => {
      await (await cli(context)).chrome.selectBrowser(browser, asked(context));
      return {};
    },
  },
  'chrome.reconnect': {
    role: 'owner',
    acts: true,
    run: async (_params, context) => (await cli(context)).chrome.reconnect(asked(context)),
  },
};

/** A sign-in takes effect on the next connection. The list of servers shows whether it worked. */
async function connectAnew(mcp: Session['mcp'], server: string, context: CommandContext): Promise<void> {
  await mcp.reconnect(server, asked(context)).catch(() => undefined);
}

function hookView({ event, matcher, source, sourceLabel, displayText, commandText }: WireObject): HookView {
  return {
    event: String(event),
    ...(typeof matcher === 'string' && matcher !== '' ? { matcher } : {}),
    source: String(sourceLabel ?? source),
    text: String(commandText ?? displayText ?? ''),
  };
}

async function change(how: 'add' | 'set', servers: WireObject, context: CommandContext) {
  const session = await context.session();
  // The session refuses an invalid server before anything is sent.
  const changed = await session.connected.mcp[how](servers as McpServerMap, asked(context));
  session.noteAllowed(requestBeyondAsking('mcp_set_servers'));
  return changed;
}

async function turn(how: 'enable' | 'disable', server: string, context: CommandContext) {
  const session = await context.session();
  const answer = await session.connected.mcp[how](server, asked(context));
  // What the CLI itself stores is left alone.
  const isOff = how === 'disable' && !answer.remembered;
  if (answer.success) session.noteSetting(switchSetting(session.opened, server, isOff));
  return answer;
}

/** CLIs refuse to list browsers while the extension is disconnected. */
async function browsersOf(session: Session, context: CommandContext): Promise<ChromeView['browsers']> {
  const { how } = await session.supports('get_chrome_browsers');
  if (how === 'no') return [];
  const { browsers } = await session.chrome.browsers(asked(context)).catch((error: unknown) => {
    if (error instanceof RefusedError) return { browsers: [] };
    throw error;
  });
  // We have never seen an answer, because that needs a login: entries that cannot be selected are left out,
  // whatever else they contain.
  return objectsIn(browsers).flatMap(({ device_id: id, name, current }) =>
    typeof id === 'string'
      ? [{ id, name: typeof name === 'string' ? name : id, current: current === true }]
      : [],
  );
}
