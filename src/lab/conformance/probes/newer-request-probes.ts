import type { WireObject } from '../../../wire/protocol/frames.js';
import { text } from '../../testing/model/replies.js';
import { type ProbeGroup, probe } from '../probe.js';
import { describe, type Reaction, refused, unserved } from '../reaction.js';
import { message, part, requestOf } from '../reading.js';
import { callsOf, callTool, SECOND, serverConfig } from '../tool-server.js';
import { type Finding, judge } from '../verdict.js';

/** The requests, all sent together so that silence is awaited only once. */
const REQUESTS = {
  'file:outside': ['read_file', { path: '/etc/hostname' }],
  'file:missing': ['read_file', { path: 'missing.txt' }],
  'file:base64': ['read_file', { path: 'a.txt', encoding: 'base64', max_bytes: 2 }],
  'settings:update-refused': ['update_settings', { source: 'userSettings', settings: { model: 'x' } }],
  'settings:bad-flags': ['apply_flag_settings', { settings: { permissions: 'none' } }],
  'settings:flags-effective': ['apply_flag_settings', { settings: { permissions: { deny: [SECOND] } } }],
  'mcp-resource:other-scheme': ['mcp_read_resource', { serverName: 'nobody', uri: 'https://localhost/' }],
  'task:unknown-output': ['get_task_output', { task_id: 'nobody' }],
  'session:renamed': ['rename_session', { title: 'Title', source: 'host' }],
  'session:side-question': ['side_question', { question: 'A question?' }],
} as const satisfies Readonly<Record<string, readonly [string, WireObject]>>;

type Id = keyof typeof REQUESTS;

/** What newer requests do, and what they refuse. */
export const newerRequests: ProbeGroup = {
  name: 'newer requests',
  start: { flags: { mcpServers: serverConfig, settingSources: ['user'] }, files: { 'work/a.txt': 'one\n' } },
  probes: [
    probe(Object.keys(REQUESTS) as Id[], async (stage) => {
      await stage.turn();
      const from = stage.now;
      const ids = new Map<Id, string>();
      for (const [id, [subtype, fields]] of Object.entries(REQUESTS)) {
        ids.set(id as Id, await stage.sendRequest(subtype, fields));
      }
      const reactions = await Promise.all(
        [...ids].map(
          async ([id, sent]): Promise<[Id, Reaction]> => [
            id,
            await stage.reactionTo(sent, 2 * stage.subject.patience.quietMs),
          ],
        ),
      );
      const found = Object.fromEntries(reactions) as Record<Id, Reaction>;
      const told = stage.since(from);
      const { frames } = await stage.turn([callTool(SECOND), text('done')]);
      stage.record('answer read_file base64', part(found['file:base64'], 'value'));
      const denied = callsOf(frames).length === 0 && !frames.some(requestOf('can_use_tool'));
      return {
        'file:outside': refused(found['file:outside']),
        'file:missing': refused(found['file:missing']),
        'file:base64': so(found['file:base64'], part(found['file:base64'], 'value').contents === 'b24='),
        'settings:update-refused': refused(found['settings:update-refused']),
        'settings:bad-flags': refused(found['settings:bad-flags']),
        'settings:flags-effective': so(found['settings:flags-effective'], denied),
        'mcp-resource:other-scheme': refused(found['mcp-resource:other-scheme']),
        'task:unknown-output': refused(found['task:unknown-output']),
        'session:renamed': so(
          found['session:renamed'],
          told.some(message('system', 'session_title_changed')),
        ),
        'session:side-question': so(
          found['session:side-question'],
          told.some(message('system', 'control_request_progress')),
        ),
      };
    }),
  ],
};

/** Passes if the request was served and the condition holds. */
function so(reaction: Reaction, isSo: boolean): Finding {
  return reaction.kind === 'success' ? judge(isSo, describe(reaction)) : unserved(reaction);
}
