import { describe, expect, it } from 'vitest';
import { changesOf } from '../../../../../src/host/cli/ledger/facts.js';
import { readLedger } from '../../../../../src/host/cli/ledger/ledger.js';
import {
  cliRequests,
  findCliRequest,
  findHookEvent,
  findHostRequest,
  findMessage,
  hookEvents,
  hostMessages,
  hostRequests,
  messageName,
  messages,
} from '../../../../../src/wire/protocol/catalog/catalog.js';
import { credentialRequests } from '../../../../../src/wire/protocol/catalog/cli/cli-account.js';
import { callbackRequests } from '../../../../../src/wire/protocol/catalog/cli/cli-callbacks.js';
import { cliRequestSchemas } from '../../../../../src/wire/protocol/catalog/cli.schemas.js';
import type { CatalogEntry } from '../../../../../src/wire/protocol/catalog/entries.js';
import { hookSchemas } from '../../../../../src/wire/protocol/catalog/hooks.schemas.js';
import { patchedRequests } from '../../../../../src/wire/protocol/catalog/host/patched-requests.js';
import { hostRequestSchemas } from '../../../../../src/wire/protocol/catalog/host.schemas.js';
import { hostMessageSchemas } from '../../../../../src/wire/protocol/catalog/messages/from-host-messages.schemas.js';
import { otherMessages } from '../../../../../src/wire/protocol/catalog/messages/other-messages.js';
import { undeclaredMessages } from '../../../../../src/wire/protocol/catalog/messages/undeclared-messages.js';
import { messageSchemas } from '../../../../../src/wire/protocol/catalog/messages.schemas.js';
import { compareVersions } from '../../../../../src/wire/util/versions.js';

const maps = { hostRequests, cliRequests, messages, hostMessages, hookEvents };
const parts = [
  ['request', hostRequests],
  ['cli-request', cliRequests],
  ['message', messages],
  ['hook-event', hookEvents],
] as const;
const { facts } = readLedger();
/** The values of facts about what a probe has met. */
const MET: ReadonlySet<string> = new Set(['served', 'refused', 'seen', 'pass']);
const entries: CatalogEntry[] = Object.values(maps).flatMap((map) => Object.values(map));

// The names in the official declarations of 0.3.326, what its code also sends, and what only patched CLIs serve.
const declaredHostRequests =
  `initialize interrupt set_permission_mode set_model set_max_thinking_tokens mcp_status
  mcp_message mcp_set_servers rewind_files mcp_reconnect mcp_toggle background_tasks stop_task get_task_output
  apply_flag_settings get_settings update_settings get_hooks_listing list_permission_rules get_context_usage get_usage
  read_file seed_read_state reload_plugins reload_skills reload_output_styles cancel_async_message rename_session
  mcp_read_resource mcp_call list_models get_session_cost get_binary_version file_suggestions register_repo_root
  set_color set_has_subscribers`.split(/\s+/);
const undeclaredHostRequests = `set_mcp_permission_mode_override set_cwd claim_session generate_session_title
  side_question remote_control submit_feedback submit_survey_feedback message_rated ultrareview_launch channel_enable
  mcp_authenticate mcp_clear_auth mcp_oauth_callback_url claude_authenticate claude_oauth_callback
  claude_oauth_wait_for_completion get_status get_plan get_memory_dialog get_skills_dialog get_sandbox_dialog
  get_chrome_dialog get_chrome_browsers select_chrome_browser set_chrome_browser_hints set_prompt_suggestions_paused
  export_conversation`.split(/\s+/);
const bridgeHostRequests = ['get_workspace_diff', 'fork_conversation', 'end_session'];

describe('the halves of the catalog', () => {
  it.each([
    ['host requests', hostRequests, hostRequestSchemas],
    ['CLI requests', cliRequests, cliRequestSchemas],
    ['messages', messages, messageSchemas],
    ['host messages', hostMessages, hostMessageSchemas],
    ['hook events', hookEvents, hookSchemas],
  ])('have the same %s', (_what, data, schemas) => {
    expect(Object.keys(schemas).sort()).toEqual(Object.keys(data).sort());
  });
});

describe('the catalog', () => {
  it('has every host request that is declared, sent undeclared, used by the bridge or named for patches', () => {
    expect(declaredHostRequests).toHaveLength(37);
    expect(undeclaredHostRequests).toHaveLength(28);
    expect(Object.keys(patchedRequests)).toHaveLength(6);
    expect(Object.keys(hostRequests).sort()).toEqual(
      [
        ...declaredHostRequests,
        ...undeclaredHostRequests,
        ...bridgeHostRequests,
        ...Object.keys(patchedRequests),
      ].sort(),
    );
  });

  it('has every CLI request: five callbacks, three for credentials, six of surfaces and four never answered', () => {
    expect(Object.keys(callbackRequests)).toEqual([
      'can_use_tool',
      'hook_callback',
      'mcp_message',
      'elicitation',
      'request_user_dialog',
    ]);
    expect(Object.keys(credentialRequests)).toHaveLength(3);
    expect(Object.keys(cliRequests).filter((name) => name.startsWith('ui_'))).toHaveLength(6);
    const unanswered = Object.values(cliRequests).filter(({ answer }) => answer === 'never');
    expect(unanswered.map(({ name }) => name.startsWith('remote_'))).toEqual([true, true, true, true]);
    expect(Object.keys(cliRequests)).toHaveLength(18);
  });

  it('has every message: 9 of the conversation, 29 declared system ones, 7 others, 12 undeclared', () => {
    const names = Object.keys(messages);
    const undeclared = new Set(Object.keys(undeclaredMessages));
    expect(names.filter((name) => /^(assistant|user|stream_event|result)/.test(name))).toHaveLength(9);
    expect(names.filter((name) => name.startsWith('system/') && !undeclared.has(name))).toHaveLength(29);
    expect(Object.keys(otherMessages)).toHaveLength(7);
    expect(undeclared.size).toBe(12);
    expect(names).toHaveLength(57);
  });

  it('has the 33 hook events', () => {
    expect(Object.keys(hookEvents)).toHaveLength(33);
  });

  it('has a distinct sentence for every entry', () => {
    for (const { name, about } of entries) expect(about, name).toMatch(/^[A-Z](?!.*\. ).{10,}\w\.$/);
    expect(new Set(entries.map(({ about }) => about)).size).toBe(entries.length);
  });

  it('has a fact of the ledger for everything that some CLIs lack', () => {
    for (const [kind, part] of parts) {
      const known = Object.keys(facts).flatMap((id) =>
        id.startsWith(`${kind}:`) ? [id.slice(kind.length + 1)] : [],
      );
      expect(known.toSorted(), kind).toEqual(Object.keys(part).sort());
    }
  });

  it('claims offline reach exactly for what a probe or a capture met without an account', () => {
    for (const [kind, part] of parts) {
      for (const { name, reach } of Object.values(part)) {
        const values = changesOf({ facts }, `${kind}:${name}`).map(({ value }) => value);
        const isThere = values.some((value) => MET.has(value) || value === 'named');
        if (reach === 'offline') expect(isThere, name).toBe(true);
        if (reach === 'declared')
          expect(
            values.filter((value) => MET.has(value)),
            name,
          ).toEqual([]);
      }
    }
  });

  it('has CLIs that all do the same with requests that they do not know: silent first, an error later', () => {
    const [silent, refusing] = changesOf({ facts }, 'envelope:unknown-subtype');
    for (const name of Object.keys(hostRequests)) {
      const [first, next] = changesOf({ facts }, `request:${name}`);
      if (first?.value !== 'silent') continue;
      expect(first.from, name).toBe(silent?.from);
      const isInTime = next !== undefined && compareVersions(next.from, refusing?.from ?? '') <= 0;
      expect(isInTime, name).toBe(true);
    }
  });

  it('gives a longer deadline to requests for which the CLI first connects or asks something', () => {
    for (const name of ['mcp_set_servers', 'mcp_call', 'side_question', 'reload_plugins'] as const) {
      expect(hostRequests[name].deadlineMs).toBeGreaterThanOrEqual(60_000);
    }
    expect(hostRequests.mcp_status.deadlineMs).toBeUndefined();
  });

  it('warns if a version does harm', () => {
    expect(hostRequests.rewind_files.caution).toContain('2.0.73 ignores `dry_run`');
    expect(hostRequests.mcp_set_servers.caution).toContain('dies');
    expect(hostRequests.initialize.caution).toContain('kills 2.0.73 on Node 20');
  });
});

describe('looking up', () => {
  it('finds known entries, with name and sender', () => {
    expect(findHostRequest('set_model')).toMatchObject({ name: 'set_model', from: 'host' });
    expect(findCliRequest('can_use_tool')).toMatchObject({ name: 'can_use_tool', from: 'cli' });
    expect(findMessage('system/init')).toMatchObject({ name: 'system/init', from: 'cli' });
    expect(findHookEvent('Stop')).toMatchObject({ name: 'Stop', from: 'cli' });
  });

  it.each(['nobody_knows', 'constructor', '__proto__', ''])('finds nothing under %j', (name) => {
    expect(findHostRequest(name)).toBeUndefined();
    expect(findCliRequest(name)).toBeUndefined();
    expect(findMessage(name)).toBeUndefined();
    expect(findHookEvent(name)).toBeUndefined();
  });

  it.each([
    [{ type: 'system', subtype: 'init' }, 'system/init'],
    [{ type: 'assistant' }, 'assistant'],
    [{ type: 'user', isReplay: true }, 'user/replay'],
    [{ type: 'user', isReplay: false }, 'user'],
    [{ type: 'system', subtype: 7 }, 'system'],
    [{ subtype: 'init' }, ''],
  ])('names %j %j', (message, name) => {
    expect(messageName(message)).toBe(name);
  });
});
