import type { WireObject } from '../../../wire/protocol/frames.js';
import { limitHeaders } from '../../testing/model/limit-headers.js';
import { apiError, type Reply, reply, text } from '../../testing/model/replies.js';
import { type ProbeGroup, probe } from '../probe.js';
import { message, part } from '../reading.js';
import type { Stage } from '../stage.js';
import { judge } from '../verdict.js';

/** Made up; CLIs that have it send no key, and read the headers about limits. */
const LOGIN = {
  ANTHROPIC_API_KEY: '',
  CLAUDE_CODE_OAUTH_TOKEN: 'sk-ant-oat01-not-a-real-one',
  CLAUDE_CODE_MAX_RETRIES: '0',
};
const HALF = 0.5;
const NEARLY_FULL = 0.95;
const HOUR_S = 3_600;

/** The usage limits of an account. */
export const planLimits: ProbeGroup = {
  name: 'usage limits of a plan',
  start: { env: LOGIN },
  probes: [
    probe(
      ['limits:reported', 'limits:nearly-full', 'limits:all-windows', 'limits:rejected'],
      async (stage) => {
        const end = Math.floor(Date.now() / 1_000) + HOUR_S;
        const told = (used: number) => limitHeaders({ fiveHour: used, resetsAt: new Date(end * 1_000) });
        const calm = await reports(stage, reply(text('ok'), { headers: told(HALF) }));
        const close = await reports(stage, reply(text('ok'), { headers: told(NEARLY_FULL) }));
        const headers = limitHeaders({ fiveHour: 1, status: 'rejected', resetsAt: new Date(end * 1_000) });
        const spent = await reports(stage, apiError(429, { headers }));
        return {
          'limits:reported': judge(
            calm.some(({ status, resetsAt }) => status === 'allowed' && resetsAt === end),
            'it does not',
          ),
          'limits:nearly-full': judge(
            close.some((info) => usedIn(info) === NEARLY_FULL || info.utilization === NEARLY_FULL),
            'it does not',
          ),
          'limits:all-windows': judge(
            calm.some((info) => usedIn(info) === HALF && usedIn(info, 'seven_day') !== undefined),
            'it does not',
          ),
          'limits:rejected': judge(
            spent.some(({ status, resetsAt }) => status === 'rejected' && resetsAt === end),
            'it does not',
          ),
        };
      },
    ),
  ],
};

/** What a turn with this reply reports. */
async function reports(stage: Stage, said: Reply): Promise<readonly WireObject[]> {
  const { frames } = await stage.turn([said]);
  const events = frames.filter(message('rate_limit_event'));
  for (const event of events) stage.record('message rate_limit_event', event);
  return events.map((event) => part(event, 'rate_limit_info'));
}

function usedIn(info: WireObject, window = 'five_hour'): unknown {
  return part(info, 'unifiedWindows', window).utilization;
}
