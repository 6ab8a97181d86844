import { z } from 'zod';
import type { CommandParams, PromptAnswer } from '../../../entry/remote/contract.js';
import { efforts } from '../../../host/cli/options/cli-options.js';

// Input and output of the HTTP API. Answers are documented, not validated: a newer server may send more.

const anything = z.looseObject({});
const count = z.int().nonnegative();
const milliseconds = count.describe('Milliseconds since 1970.');

/** An error, as defined in RFC 9457. */
export const problem = z
  .looseObject({
    type: z.string().describe('Always `about:blank`; see `code`.'),
    title: z.string().describe('The reason phrase of the status.'),
    status: z.int(),
    detail: z.string().describe('What went wrong, as readable text.'),
    code: z.string().describe('An error code of Coxswain, for programs.'),
    reason: z.string().optional().describe("The CLI's own message, if it refused."),
    errors: z
      .array(z.object({ pointer: z.string(), detail: z.string() }))
      .optional()
      .describe('The problems of a body or a query, each with a JSON pointer.'),
  })
  .describe('Why a request failed (RFC 9457).');

/** Something that waits for a person. */
export const prompt = z
  .looseObject({
    id: z.string(),
    kind: z.string().describe('`permission`, `question`, `plan`, `elicitation`, `dialog` or `budget`.'),
    at: milliseconds,
    headline: z.string().describe('A one-line summary.'),
    tool: z.string().optional(),
    input: anything.optional(),
  })
  .describe('An open prompt; its other fields depend on its kind.');

/** A prompt in the list for all conversations. */
export const listedPrompt = z
  .object({ conversation: z.string().describe('The id of its conversation.'), prompt })
  .describe('A prompt and its conversation.');

const tokens = z
  .object({ input: count, output: count, cacheRead: count, cacheCreation: count })
  .describe('Tokens so far.');

/** The usage limits of a login. */
export const limits = z
  .object({
    login: z.string().describe('A name for the login: `default` for that of the server itself.'),
    status: z.string().describe('`allowed`, `allowed_warning`, `rejected` or another word of the CLI.'),
    windows: z.array(
      z.object({
        name: z.string().describe('Such as `five_hour` or `seven_day`.'),
        utilization: z.number().describe('The used share: 0.5 is half of it.'),
        resetsAt: milliseconds.optional(),
      }),
    ),
    overage: z.boolean().describe('Whether usage beyond the limits is being billed.'),
    at: milliseconds.describe('When a CLI reported it.'),
  })
  .describe('The usage limits of a login, as a CLI reported them last.');

/** When a conversation gets a message, and which. */
export const scheduleBody = z
  .strictObject({
    cron: z.string().min(1).describe('The times, as a cron expression: `0 9 * * 1-5`.'),
    timezone: z.string().min(1).describe('The time zone of these times, such as `Europe/Rome`.'),
    text: z.string().min(1).describe('What is sent.'),
    missed: z
      .enum(['skip', 'once'])
      .optional()
      .describe('What to do about times when no server was running. Default: `skip`.'),
  })
  .describe('When a conversation gets a message, and which.');

/** What is stored of a conversation besides its messages. */
export const exported = z
  .object({
    options: anything.describe('The launch options that it was opened with.'),
    defer: z.array(z.string()).optional().describe('The names of the tools whose calls are deferred.'),
    waiting: z.array(anything).describe('Unsettled messages, in order: `id` and `input`.'),
    prompts: z.array(anything).describe('Prompts whose CLI has ended: `id`, `tool` and `input`.'),
  })
  .describe('What is stored of a conversation besides its messages.');

/** A conversation as a list shows it. */
export const conversation = z
  .looseObject({
    id: z.string().describe("The server's own id; it stays the same across restarts and resumes."),
    conversation: z.string().optional().describe('The CLI’s id of the transcript.'),
    title: z.string(),
    name: z.string().optional().describe('The name under which a program opened it.'),
    pinned: z.boolean().optional(),
    archived: z.boolean().optional(),
    tags: z.array(z.string()).optional(),
    cwd: z.string(),
    state: z.enum([
      'waiting',
      'starting',
      'idle',
      'running',
      'needs-you',
      'limited',
      'deferred',
      'parked',
      'ended',
    ]),
    limitUntil: z.string().optional().describe('While it is `limited`: when the usage limit ends.'),
    limits: limits.optional(),
    error: z.string().optional().describe('Why it ended unexpectedly.'),
    cliVersion: z.string().optional(),
    model: z.string().optional(),
    permissionMode: z.string().optional(),
    sandbox: z.string().optional().describe('The sandbox that its CLI runs in.'),
    costUsd: z.number(),
    tokens,
    context: z.object({ tokens: count, window: count.optional() }),
    maxBudgetUsd: z.number().optional(),
    priority: z.number().optional().describe('On a fleet: higher goes first if slots are scarce.'),
    schedule: scheduleBody.extend({ nextAt: milliseconds.optional().describe('The next time.') }).optional(),
    prompts: z.array(prompt).describe('Open prompts, oldest first.'),
    queued: z.array(z.string()).describe('Accepted messages that have not started.'),
    last: count.describe('The number of the last event.'),
    startedAt: milliseconds,
    changedAt: milliseconds,
  })
  .describe('A conversation that the server owns.');

/** What was used. */
export const usage = z
  .object({
    costUsd: z.number(),
    costIsPartial: z.boolean().optional().describe('True if earlier costs are unknown.'),
    tokens,
    context: z.object({ tokens: count, window: count.optional() }).optional(),
    maxBudgetUsd: z.number().optional(),
  })
  .describe('The usage of one or all conversations.');

/** A folder's usage on a day. */
export const usageRow = z
  .object({ day: z.string().describe("In the server's time zone: `2026-11-16`."), cwd: z.string(), tokens })
  .describe('What the conversations of a folder have used on a day.');

const textOrBlocks = z
  .union([z.string(), z.array(anything)])
  .describe('A string, or content blocks such as `{ "type": "text", "text": "…" }`.');

/** Options of a new conversation. */
export const openBody = z
  .strictObject({
    cwd: z
      .string()
      .min(1)
      .optional()
      .describe("A folder below the server's roots. Default: the first of them."),
    id: z.uuid().optional().describe('The id of the new conversation. Default: a random one.'),
    title: z.string().min(1).optional(),
    model: z.string().min(1).optional(),
    permissionMode: z.string().min(1).optional(),
    maxThinkingTokens: count.nullable().optional(),
    effort: z.enum(efforts).optional().describe('How much effort the model puts into an answer.'),
    chrome: z.boolean().optional().describe('Whether the CLI connects to the Chrome extension.'),
    resume: z
      .string()
      .min(1)
      .optional()
      .describe('The id of the conversation to resume. It must be on disk, in a folder below the roots.'),
    forkSession: z.boolean().optional().describe('With `resume`: leave that transcript unchanged.'),
    before: z.string().min(1).optional().describe('With `forkSession`: the copy ends before this message.'),
    workspace: z.enum(['shared', 'worktree']).optional(),
    maxBudgetUsd: z.number().positive().optional(),
    defer: z
      .array(z.string().min(1))
      .optional()
      .describe('Names of tools whose calls wait for an answer without a CLI, so that others get its slot.'),
    disabledServers: z.array(z.string().min(1)).optional(),
    place: z
      .strictObject({
        priority: z
          .number()
          .optional()
          .describe('Conversations with a higher priority start first when slots are scarce. Default: 0.'),
        labels: z.array(z.string().min(1)).optional().describe('The labels that its worker must have.'),
        cli: z.string().min(1).optional().describe("The version of its worker's CLI, or the start of one."),
      })
      .optional()
      .describe('At the gateway of a fleet: which worker it needs.'),
  })
  .describe('Options of a new conversation.');

/** Options that a fork may change. */
export const forkBody = openBody
  .pick({ id: true, title: true, model: true, permissionMode: true, before: true, maxBudgetUsd: true })
  .describe('What differs in the copy; everything else is as in the original.');

/** A message to send. */
export const sendBody = z
  .strictObject({
    content: textOrBlocks,
    priority: z.enum(['now', 'next', 'later']).optional(),
    parentUuid: z.string().min(1).nullable().optional(),
    whileBusy: z
      .enum(['enqueue', 'join', 'reject', 'interrupt', 'replace'])
      .optional()
      .describe('What to do while a turn runs or waits. Default: `join`, the CLI gets it immediately.'),
    resend: z
      .boolean()
      .optional()
      .describe('Whether the next CLI gets it if a CLI ends before responding to it. Default: true.'),
    onLimit: z
      .enum(['wait', 'fail'])
      .optional()
      .describe('What to do at a usage limit. Default: as set for the server.'),
    reopen: z
      .boolean()
      .optional()
      .describe('Whether an ended conversation is reopened for it. Default: false.'),
  })
  .describe('A user message.') satisfies z.ZodType<CommandParams<'send'>>;

/** An accepted message. */
export const sent = z
  .object({ uuid: z.string().describe('The id of the message.') })
  .describe('An accepted message.');

const choice = z.union([z.string(), z.strictObject({ other: z.string() })]);

/** An answer to a prompt. */
export const answerBody = z
  .discriminatedUnion('answer', [
    z.strictObject({
      answer: z.literal('allow'),
      input: anything.optional(),
      remember: z.array(z.string()).optional().describe('The ids of the choices to remember.'),
      message: z
        .string()
        .optional()
        .describe('What to tell the model, which is not told that its input was changed.'),
    }),
    z.strictObject({
      answer: z.literal('deny'),
      reason: z.string().optional(),
      interrupt: z.boolean().optional(),
    }),
    z.strictObject({
      answer: z.literal('choices'),
      choices: z
        .record(z.string(), z.union([choice, z.array(choice)]))
        .describe('By the text of the question.'),
    }),
    z.strictObject({
      answer: z.literal('approve'),
      mode: z.string().optional(),
      input: anything.optional(),
    }),
    z.strictObject({ answer: z.literal('reject'), feedback: z.string() }),
    z.strictObject({ answer: z.literal('accept'), content: anything.optional() }),
    z.strictObject({ answer: z.literal('complete'), result: z.unknown() }),
    z.strictObject({ answer: z.literal('decline'), reason: z.string().optional() }),
    z.strictObject({ answer: z.literal('cancel') }),
    z.strictObject({
      answer: z.literal('raise'),
      usd: z.number().positive().describe('How much more this conversation may spend, in dollars.'),
    }),
    z.strictObject({ answer: z.literal('once') }),
    z.strictObject({ answer: z.literal('stop') }),
    z.strictObject({ answer: z.literal('refuse'), reason: z.string() }),
  ])
  .describe(
    'An answer; the allowed ones depend on the kind of the prompt.',
  ) satisfies z.ZodType<PromptAnswer>;

/** The result of an answer. */
export const answered = z
  .looseObject({
    accepted: z.boolean().describe('False if somebody else was first, or the prompt is gone.'),
    by: z.looseObject({ name: z.string(), key: z.string().optional() }).optional(),
  })
  .describe('The result of an answer; only the first one counts.');

/** The effect of an interrupt. */
export const interrupted = z
  .object({ interrupted: z.boolean(), stillQueued: z.array(z.string()), cancelled: z.array(z.string()) })
  .describe('What an interrupt did.');

/** A transcript on disk. */
export const transcript = z
  .looseObject({
    conversation: z.string().describe('Its id, for `resume`.'),
    title: z.string(),
    cwd: z.string().optional(),
    changedAt: milliseconds,
    bytes: count.optional(),
    session: z.string().optional().describe('The conversation of this server that uses or used it.'),
  })
  .describe('A conversation on disk.');

/** A transcript that matches a search. */
export const foundTranscript = transcript
  .extend({
    messages: z
      .array(
        z.object({
          uuid: z.string(),
          by: z.enum(['user', 'assistant', 'tool']),
          at: milliseconds.optional(),
          text: z.string().describe('The text around the first word.'),
        }),
      )
      .describe('The first messages that have all words, five at most.'),
  })
  .describe('A conversation on disk in which words were found.');

/** What the server is. */
export const server = z
  .object({
    version: z.string(),
    roots: z.array(z.string()).describe('The folders below which conversations work.'),
    role: z.enum(['owner', 'operator', 'watcher']).describe('What your key allows.'),
    key: z.string().describe('The name of your key.'),
    allowBypass: z.boolean(),
  })
  .describe('The server and your key.');

/** One event of a conversation, as the stream carries it. */
export const event = z
  .object({
    type: z.literal('event'),
    session: z.string(),
    n: count.describe('Its number: the `id` of the server-sent event.'),
    at: milliseconds,
    event: z.looseObject({ kind: z.string() }),
  })
  .describe('The data of one server-sent event.');

const webhookEvents = z
  .array(z.enum(['needs-you', 'turn-ended', 'failed', 'budget', 'limit']))
  .describe('The events that it receives.');

/** A key, or a browser that signed in or joined with one. */
export const device = z
  .object({
    id: z.string(),
    kind: z.enum(['key', 'browser']),
    key: z.string().describe('The name of the key that gives it access.'),
    role: z.enum(['owner', 'operator', 'watcher']),
    createdAt: milliseconds,
    expiresAt: milliseconds.optional(),
    lastUsedAt: milliseconds.optional(),
    from: z.string().optional().describe('The address that it was used from last.'),
    agent: z.string().optional().describe('What a browser calls itself.'),
    joined: z.boolean().optional().describe('Whether a browser joined through another device.'),
    connected: z.number().int().describe('How many connections it has.'),
    own: z.boolean().describe('Whether it is the key of this request.'),
  })
  .describe('A key, or a browser that signed in or joined with one.');

/** A webhook to add. */
export const webhookBody = z
  .strictObject({
    url: z.url().max(2_000).describe('Where events are sent, by POST.'),
    events: webhookEvents.min(1).optional().describe('The events that it receives. Default: all.'),
    conversation: z.uuid().optional().describe('Only events of this conversation.'),
  })
  .describe('A webhook to add.');

/** A webhook. */
export const webhook = z
  .object({
    id: z.string(),
    url: z.string(),
    events: webhookEvents,
    conversation: z.string().optional(),
    createdAt: milliseconds,
  })
  .describe('A webhook.');

/** A webhook that was just added. */
export const addedWebhook = webhook
  .extend({ secret: z.string().describe('The secret that signs messages (Standard Webhooks).') })
  .describe('A webhook with its secret.');

/** A message of which at least one attempt failed. */
export const failedDelivery = z
  .object({
    id: z.string().describe('The `webhook-id` of the message.'),
    webhook: z.string(),
    type: z.string(),
    body: z.string(),
    createdAt: milliseconds,
    attempts: count,
    error: z.string().optional().describe('Why the last attempt failed.'),
    nextAttemptAt: milliseconds.optional().describe('When it is tried again; absent if it is not.'),
  })
  .describe('A message of which at least one attempt failed.');

/** The CLI's answer, unchanged. */
export const cliAnswer = anything.describe("The CLI's unchanged answer.");

/** Servers by name. */
export const serversBody = z
  .strictObject({ servers: z.record(z.string(), anything) })
  .describe('MCP servers by name: `{ command, args }`, or `{ type, url }`.');

/** The result of changing servers. */
export const serversChanged = z
  .object({
    added: z.array(z.string()),
    removed: z.array(z.string()),
    errors: z.record(z.string(), z.string()),
  })
  .describe('The result of a change of MCP servers.');

/** A page of a list. */
export function pageOf<Item extends z.ZodType>(item: Item, what: string) {
  return z
    .object({
      items: z.array(item),
      next: z.string().nullable().describe('The cursor of the next page; null on the last one.'),
    })
    .describe(`A page of ${what}.`);
}

/** The parameters of every list. */
export const pageQuery = z.strictObject({
  limit: z.coerce.number().int().min(1).max(500).optional().describe('The maximum number. Default: 100.'),
  cursor: z.string().max(500).optional().describe('`next` of the previous page.'),
});
