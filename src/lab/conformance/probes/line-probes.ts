import { encodeRequest } from '../../../wire/protocol/encode.js';
import { type Probe, type ProbeGroup, probeOne } from '../probe.js';
import { describe, describeExit, served } from '../reaction.js';
import type { RequirementId } from '../requirements/requirements.js';
import type { Stage } from '../stage.js';
import { type Finding, fail, judge } from '../verdict.js';

/** Lines that end every CLI. */
export const fatalLines: ProbeGroup = {
  name: 'fatal lines',
  initialize: false,
  apart: true,
  probes: [
    fatal('line:malformed', '{"type":'),
    fatal('line:null', 'null'),
    fatal('line:request-without-body', '{"type":"control_request","request_id":"x"}'),
    fatal('line:user-without-message', '{"type":"user","message":{"role":"assistant","content":"x"}}'),
  ],
};

/** Lines that newer CLIs skip, sent to one CLI as long as it lives. */
export const oddLines: ProbeGroup = {
  name: 'odd lines',
  initialize: false,
  start: { raw: true },
  probes: [
    ignored('line:keep-alive', '{"type":"keep_alive"}\n'),
    ignored('line:environment', '{"type":"update_environment_variables","variables":{"COXSWAIN":"1"}}\n'),
    probeOne('line:long', async (stage) => {
      const message = { jsonrpc: '2.0', method: 'notifications/x', params: { text: 'x'.repeat(5_000_000) } };
      return served(await stage.request('mcp_message', { server_name: 'nobody', message }));
    }),
    probeOne('line:carriage-return', async (stage) => {
      await stage.cli.write(`${statusRequest('crlf')}\r\n`);
      return served(await stage.reactionTo('crlf', stage.subject.patience.startMs));
    }),
    probeOne('line:split', async (stage) => {
      const [line, other] = [statusRequest('split'), statusRequest('joined')];
      await stage.cli.write(line.slice(0, 20));
      // Long enough for the first part to arrive alone.
      await new Promise((resolve) => setTimeout(resolve, 100));
      await stage.cli.write(`${line.slice(20)}\n${other}\n`);
      await stage.reactionTo('split', stage.subject.patience.startMs);
      return served(await stage.reactionTo('joined'));
    }),
    ignored('line:empty', '\n'),
    ignored('line:not-an-object', '42\n[]\n'),
    ignored('line:unknown-type', '{"type":"coxswain_made_this_up"}\n{"no":"type"}\n'),
    ignored('line:cancel', '{"type":"control_cancel_request","request_id":"nobody"}\n'),
    ignored('line:answer-without-body', '{"type":"control_response"}\n'),
    probeOne('line:last-without-newline', async (stage) => {
      await stillServes(stage);
      await stage.cli.write(statusRequest('last'));
      stage.cli.endInput();
      return served(await stage.reactionTo('last'));
    }),
  ],
};

function fatal(id: RequirementId, line: string): Probe {
  return probeOne(id, async (stage) => {
    await stage.line(line);
    const exit = await stage.exit(stage.subject.patience.startMs);
    if (exit === undefined) return fail('it keeps running');
    return judge(exit.code === 1, describeExit(exit));
  });
}

function ignored(id: RequirementId, written: string): Probe {
  return probeOne(id, async (stage) => {
    await stage.cli.write(written);
    return stillServes(stage);
  });
}

async function stillServes(stage: Stage): Promise<Finding> {
  const reaction = await stage.request('mcp_status', {}, stage.subject.patience.startMs);
  return reaction.kind === 'success' ? served(reaction) : fail(describe(reaction));
}

function statusRequest(id: string): string {
  return encodeRequest(id, { subtype: 'mcp_status' });
}
