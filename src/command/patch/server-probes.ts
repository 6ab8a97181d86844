import { check, type PatchProbe, type ProbeStage } from './probe.js';

/** The probes for patches that change the connection to a server: from each of its states, with a look at its processes. */
export const serverProbes: readonly PatchProbe[] = [
  {
    patch: '005-mcp-tools',
    what: 'the tools of a server are listed with description and schema, and only while it is connected',
    run: async (stage) => {
      const { tools, count } = await stage.session.mcp.tools('probe');
      const [tool] = tools;
      const whole = count === 1 && tool?.description !== undefined && tool.inputSchema !== undefined;
      check(whole, `${count} tool: ${tool?.name}, ${tool?.description}`);
      for (const state of ['failed', 'disabled'] as const) await listNone(state, stage);
      return `${tool?.name}, ${tool?.description}; failed: none; disabled: none`;
    },
  },
  {
    patch: '004-mcp-reconnect',
    what: 'a server is reconnected from each state, and the next turn talks to the only process',
    run: async (stage) => {
      const seen: string[] = [];
      for (const state of STATES) seen.push(await reconnectFrom(state, stage));
      return seen.join('; ');
    },
  },
  {
    patch: '006-mcp-disable-enable',
    what: 'a server is disabled from each state and enabled, and turns and processes show it',
    run: async (stage) => {
      const seen: string[] = [];
      for (const state of STATES) seen.push(await switchFrom(state, stage));
      return seen.join('; ');
    },
  },
];

/** The states that a server can be in when a request arrives. */
const STATES = ['connected', 'failed', 'disabled', 'pending'] as const;

type ServerState = (typeof STATES)[number];

async function listNone(state: ServerState, stage: ProbeStage): Promise<void> {
  if (!(await bringTo(state, stage))) return;
  const { count } = await stage.session.mcp.tools('probe');
  check(count === 0, `${state}: ${count} tools are listed`);
  await stage.session.mcp.reconnect('probe');
}

async function reconnectFrom(state: ServerState, stage: ProbeStage): Promise<string> {
  const { session, rig } = stage;
  if (!(await bringTo(state, stage))) return `${state}: not tried`;
  const { status, error } = await once(stage, state, () => session.mcp.reconnect('probe'));
  return check(
    await answersAlone(stage),
    `${state}: then ${status}, ${error ?? (await rig.callTool(session))}`,
  );
}

async function switchFrom(state: ServerState, stage: ProbeStage): Promise<string> {
  const { session, rig } = stage;
  if (!(await bringTo(state, stage))) return `${state}: not tried`;
  const off = await session.mcp.disable('probe');
  check(off.status === 'disabled', `${state}: ${off.status} after mcp_disable`);
  const without = await rig.callTool(session);
  check(/No such tool/.test(without), `${state}: disabled, but its tool says ${without}`);
  const left = await rig.server.running(0);
  check(left === 0, `${state}: disabled, but ${left} of its processes run`);
  const on = await once(stage, state, () => session.mcp.enable('probe'));
  return check(await answersAlone(stage), `${state}: disabled, then ${on.status}`);
}

/** Brings the server to a state, from `connected`. Returns false if this copy lacks the patch for that. */
async function bringTo(state: ServerState, { session, rig: { server } }: ProbeStage): Promise<boolean> {
  const needed = state === 'disabled' ? 'mcp_disable' : 'mcp_reconnect';
  const { how } = await session.supports(needed, { server: 'probe' });
  if (state !== 'connected' && how !== 'patched') return false;
  if (state === 'failed') {
    server.next('down');
    const { status } = await session.mcp.reconnect('probe');
    server.next('up');
    check(status === 'failed', `a server that ends at once is ${status}`);
  }
  if (state === 'disabled') await session.mcp.disable('probe');
  if (state === 'pending') {
    const count = server.started().length;
    server.next('slow');
    // As another client of the CLI would send it: a session sends one request about a server at a time.
    const slow = session.control<string>('mcp_reconnect', { server_name: 'probe' });
    await Promise.race([server.untilStarted(count + 1), slow.catch(() => {})]);
    server.next('up');
  }
  return true;
}

/** Runs a request that has to start the server exactly once. */
async function once<T>(
  { rig: { server } }: ProbeStage,
  state: ServerState,
  request: () => Promise<T>,
): Promise<T> {
  const before = server.started().length;
  const answer = await request();
  const starts = server.started().length - before;
  check(
    starts === 1,
    `${state}: the server was started ${starts} times, and the answer was ${JSON.stringify(answer)}`,
  );
  return answer;
}

/** Whether the tool is answered by the process that was started last, and no other runs. */
async function answersAlone({ session, rig }: ProbeStage): Promise<boolean> {
  const said = await rig.callTool(session);
  return said.startsWith(`pid ${rig.server.started().at(-1)}`) && (await rig.server.running(1)) === 1;
}
