// Every host request, all on one CLI: served, refused, unsupported or unanswered.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { endpointFields } from '../../../src/lab/conformance/probes/endpoint-fields.ts';
import { hostRequests } from '../../../src/wire/protocol/index.ts';

const FORMS = fileURLToPath(new URL('../forms-server.mjs', import.meta.url));
const OLD_WAIT_MS = 6_000;
const NOBODY = '00000000-0000-4000-8000-000000000000';

/** Requests that contact the vendor's services if they are served. */
const NOT_SENT = [
  'claude_authenticate',
  'claude_oauth_callback',
  'remote_control',
  'submit_feedback',
  'submit_survey_feedback',
  'ultrareview_launch',
];

/** Requests that must come before or after all others if they are served. */
const LATER = ['initialize', 'claim_session', 'set_cwd', 'end_session'];

export const requests = {
  async options(cli) {
    const forms = { command: process.execPath, args: [FORMS] };
    await cli.write('home/.claude.json', JSON.stringify({ mcpServers: { forms } }));
    await cli.write('work/a.txt', 'one\n');
    await cli.write('work/sub/b.txt', 'two\n');
    makeRepository(cli);
    return { settingSources: ['user'] };
  },

  async run(cli) {
    await cli.ask('initialize', { agents: { helper: { description: 'Helps.', prompt: 'Help.' } } });
    // 2.0.73 crashes on a second one on Node 20.
    if (cli.version !== '2.0.73') await cli.ask('initialize', {}, { as: 'again' });
    const waitMs = cli.isLatest ? undefined : OLD_WAIT_MS;
    if (cli.isLatest) await statefulFirst(cli);
    const names = Object.keys(hostRequests).filter((name) => isSent(cli, name));
    await Promise.all(names.map((name) => cli.ask(name, params(cli)[name] ?? {}, { waitMs })));
    if (!cli.isLatest) return;
    await cli.ask('set_cwd', { path: join(cli.base, 'home') }, { as: 'needs-trust' });
    const trusted = { trust_accepted: true, trusted_directory: join(cli.base, 'home') };
    await cli.ask('set_cwd', { path: join(cli.base, 'home'), ...trusted });
    await cli.ask('end_session', { reason: 'enough' });
  },
};

function isSent({ isLatest }, name) {
  if (!isLatest) return name !== 'initialize';
  return !LATER.includes(name) && !NOT_SENT.includes(name);
}

async function statefulFirst(cli) {
  await cli.ask('apply_flag_settings', { settings: { permissions: { deny: ['WebFetch'] } } });
  await cli.ask('set_permission_mode', { mode: 'nonsense' }, { as: 'nonsense' });
  await cli.ask('set_model', { model: 'opus', only_if_model_is_current: true }, { as: 'only-if-current' });
  await cli.ask('read_file', { path: 'missing.txt' }, { as: 'missing' });
  await cli.ask('read_file', { path: 'a.txt', encoding: 'base64', max_bytes: 2 }, { as: 'base64' });
  await untilConnected(cli);
}

async function untilConnected(cli) {
  for (let tries = 0; tries < 50; tries += 1) {
    const { response } = await cli.ask('mcp_status');
    if (response.mcpServers[0]?.status === 'connected') return;
    await sleep(100);
  }
}

/** What the probes send, and more: a refusal is worth capturing too. */
function params({ base }) {
  return {
    ...endpointFields,
    mcp_authenticate: { serverName: 'nobody' },
    mcp_clear_auth: { serverName: 'nobody' },
    mcp_oauth_callback_url: { serverName: 'nobody', callbackUrl: 'http://127.0.0.1/' },
    channel_enable: { serverName: 'nobody' },
    set_mcp_permission_mode_override: { serverName: 'nobody', mode: 'default' },
    get_task_output: { task_id: 'nobody' },
    register_repo_root: { directory: join(base, 'work', 'sub') },
    select_chrome_browser: { device_id: 'nobody' },
    message_rated: { messageUuid: NOBODY },
  };
}

// Without git the diff is refused with a reason, which is worth capturing too.
function makeRepository({ cwd, home }) {
  const git = (...args) => execFileSync('git', args, { cwd, env: { PATH: process.env.PATH, HOME: home } });
  try {
    git('init', '--quiet');
    git('add', 'sub');
    git('-c', 'user.name=a', '-c', 'user.email=a@example.invalid', 'commit', '--quiet', '-m', 'one');
    git('add', 'a.txt');
  } catch {}
}
