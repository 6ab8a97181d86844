import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { expect, test } from 'vitest';
import type { EndpointName } from '../../src/host/session/endpoints/endpoint-table.js';
import type { Session } from '../../src/host/session/session.js';
import type { SessionOptions } from '../../src/host/session/session-options.js';
import { stall, text, toolUse } from '../../src/lab/testing/model/replies.js';
import { moveCommand } from './support/moved-command.js';
import { throwawayCache } from './support/patched-clis.js';
import { publishedClis } from './support/published-clis.js';
import { type RealPlace, realPlace } from './support/real-session.js';
import { pidServer } from './support/tool-turn.js';

const install = publishedClis();
const cache = throwawayCache();

/** What a refusal advises: another CLI, or other options for this one. */
interface Way {
  readonly version: string;
  readonly options: SessionOptions;
}

/** The ways that a refusal names. */
function waysIn(help: string, version: string): readonly Way[] {
  const other = /CLI (\d+\.\d+\.\d+) or newer/.exec(help)?.[1];
  return [
    ...(help.includes('patched: true') ? [{ version, options: { patched: patches() } }] : []),
    ...(help.includes('serversAtLaunch: false') ? [{ version, options: { serversAtLaunch: false } }] : []),
    ...(other === undefined ? [] : [{ version: other, options: {} }]),
  ];
}

const patches = () => ({ cacheFolder: cache.folder });

/** Uses an endpoint; the result says whether it did what it should. */
const uses: Partial<Record<EndpointName, (session: Session, place: RealPlace) => Promise<boolean>>> = {
  set_max_thinking_tokens: async (session, { model }) => {
    await session.setMaxThinkingTokens(4_000);
    model.play([{ reply: text('Aye.'), times: 'any' }]);
    await session.send('think').outcome;
    return JSON.stringify(model.lastRequest()?.parameters.thinking ?? '').includes('4000');
  },
  mcp_message: async (session) => {
    const message = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' } as const;
    return isDeepStrictEqual(await session.control('mcp_message', { server_name: 'nobody', message }), {});
  },
  rewind_files: async (session, { model, folders }) => {
    const path = join(folders.cwd, 'new.txt');
    model.play([
      { when: 'write', reply: toolUse('Write', { file_path: path, content: 'new' }) },
      { reply: text('Written.'), times: 'any' },
    ]);
    const turn = session.send('write');
    await turn.outcome;
    const isWritten = existsSync(path);
    await session.rewind(String(turn.userMessageId));
    return isWritten && !existsSync(path);
  },
  mcp_tools: async ({ mcp }) => (await mcp.tools('pid')).count === 1,
  mcp_reconnect: async ({ mcp }) => (await mcp.reconnect('pid')).status === 'connected',
  mcp_disable: async ({ mcp }) => (await mcp.disable('pid')).status === 'disabled',
  mcp_enable: async ({ mcp }) => (await mcp.enable('pid')).status === 'connected',
  mcp_set_servers: async ({ mcp }) => {
    await mcp.remove('pid');
    return (await mcp.status()).mcpServers.every(({ name }) => name !== 'pid');
  },
  agent_run_to_background: async (session, place) => {
    const { note = '' } = await session.supports('agent_run_to_background');
    return note.includes('Agents only') ? moveAgent(session, place) : isCommandMoved(session, place);
  },
};

async function isCommandMoved(session: Session, place: RealPlace): Promise<boolean> {
  const { tasks, finish } = await moveCommand(place, session);
  await finish();
  return tasks.some(({ tool_use_id: call }) => call === 'toolu_long');
}

async function moveAgent(session: Session, { model }: RealPlace): Promise<boolean> {
  const job = { description: 'Work', prompt: 'the job', subagent_type: 'general-purpose' };
  model.play([
    { when: 'start', reply: toolUse('Task', job, 'toolu_agent') },
    { when: 'the job', reply: stall(), times: 'any', anyOrder: true },
    { reply: text('It runs on.'), times: 'any' },
  ]);
  session.send('start');
  return (await session.background('toolu_agent')).backgrounded;
}

test.each(['2.0.12', '2.0.73', '2.1.17', '2.1.58', '2.1.140'])(
  'what refusals of CLI %s advise works',
  { timeout: 900_000 },
  async (version) => {
    const followed = new Map<string, { readonly way: Way; readonly names: EndpointName[] }>();
    const open = async (place: RealPlace, options: SessionOptions) =>
      place.open({
        mcpServers: { pid: pidServer },
        allowedTools: ['Bash', 'Task', 'Write'],
        enableFileCheckpointing: true,
        ...options,
      });
    {
      await using place = await realPlace(await install(version));
      await using session = await open(place, {});
      for (const name of Object.keys(uses) as EndpointName[]) {
        const { how, help = '' } = await session.supports(name, { server: 'pid' });
        const ways = how === 'no' ? waysIn(help, version) : [];
        if (how === 'no') expect(ways, `${name}: ${help}`).not.toEqual([]);
        for (const way of ways) {
          const key = JSON.stringify(way);
          followed.set(key, { way, names: [...(followed.get(key)?.names ?? []), name] });
        }
      }
    }
    expect(followed.size).toBeGreaterThan(0);
    for (const { way, names } of followed.values()) {
      await using place = await realPlace(await install(way.version));
      await using session = await open(place, way.options);
      for (const name of names) {
        const works = await uses[name]?.(session, place);
        expect(works, `${name} on ${way.version} with ${JSON.stringify(way.options)}`).toBe(true);
      }
    }
  },
);
