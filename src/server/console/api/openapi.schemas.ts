import { z } from 'zod';
import type { WireObject } from '../../../wire/protocol/frames.js';
import { acts, type Route } from './route.js';
import * as shapes from './shapes.schemas.js';

/** Types with a name in the document. */
const NAMED = {
  Problem: shapes.problem,
  Conversation: shapes.conversation,
  Prompt: shapes.prompt,
  ListedPrompt: shapes.listedPrompt,
  Usage: shapes.usage,
  OpenConversation: shapes.openBody,
  ForkConversation: shapes.forkBody,
  Message: shapes.sendBody,
  SentMessage: shapes.sent,
  Answer: shapes.answerBody,
  Answered: shapes.answered,
  Interrupted: shapes.interrupted,
  Transcript: shapes.transcript,
  Server: shapes.server,
  Event: shapes.event,
  CliAnswer: shapes.cliAnswer,
  Device: shapes.device,
  AddWebhook: shapes.webhookBody,
  Webhook: shapes.webhook,
  AddedWebhook: shapes.addedWebhook,
  FailedDelivery: shapes.failedDelivery,
  McpServers: shapes.serversBody,
  McpServersChanged: shapes.serversChanged,
};

/** The OpenAPI 3.1 document of the routes. */
export function openApiDocument(routes: readonly Route[], version: string): WireObject {
  const describe = describer();
  const paths: Record<string, Record<string, WireObject>> = {};
  for (const route of routes) {
    paths[route.path] ??= {};
    Object.assign(paths[route.path] ?? {}, { [route.method]: operation(route, describe) });
  }
  const tags = [...new Set(routes.map(({ tag }) => tag))];
  return {
    openapi: '3.1.0',
    info: {
      title: 'Coxswain',
      version,
      description: 'Conversations with Claude CLIs that a console server owns.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/api/v1', description: 'This server.' }],
    security: [{ key: [] }],
    tags: tags.map((name) => ({ name, description: `${name}.` })),
    paths,
    components: {
      securitySchemes: {
        key: {
          type: 'http',
          scheme: 'bearer',
          description: 'A token of the console (`coxswain console keys`).',
        },
      },
      schemas: describe.components,
    },
  };
}

type Describe = ((schema: z.ZodType, io: 'input' | 'output') => WireObject) & {
  readonly components: WireObject;
};

/** Makes JSON Schemas, with references to the named ones. */
function describer(): Describe {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(NAMED)) registry.add(schema, { id });
  const uri = (id: string) => `#/components/schemas/${id}`;
  const { schemas } = z.toJSONSchema(registry, { uri, io: 'input', unrepresentable: 'any' });
  const components = Object.fromEntries(Object.entries(schemas).map(([id, schema]) => [id, plain(schema)]));
  const names = new Map<unknown, string>(Object.entries(NAMED).map(([id, schema]) => [schema, id]));
  const describe = (schema: z.ZodType, io: 'input' | 'output') => {
    const name = names.get(schema);
    if (name !== undefined) return { $ref: uri(name) };
    // An unnamed type may contain named ones: described together with them, they become references.
    const mixed = z.registry<{ id: string }>();
    for (const [id, named] of Object.entries(NAMED)) mixed.add(named, { id });
    mixed.add(schema, { id: UNNAMED });
    return plain(z.toJSONSchema(mixed, { uri, io, unrepresentable: 'any' }).schemas[UNNAMED] ?? {});
  };
  return Object.assign(describe, { components });
}

const UNNAMED = 'unnamed';

/** Removes what belongs only in a separate document. */
function plain(schema: object): WireObject {
  const { $schema: _schema, $id: _id, ...rest } = schema as WireObject;
  return rest;
}

function operation(route: Route, describe: Describe): WireObject {
  const { name, tag, about, body, bodyIsOptional = false, query } = route;
  const parameters = [
    ...[...route.path.matchAll(/\{(\w+)\}/g)].map(([, each = '']) => pathParameter(each)),
    ...(query === undefined ? [] : queryParameters(query, describe)),
    ...(acts(route) ? [IDEMPOTENCY_KEY] : []),
    ...(route.streams === 'conversation' ? [LAST_EVENT_ID] : []),
  ];
  const content = body && { 'application/json': { schema: describe(body, 'input') } };
  return {
    operationId: name,
    tags: [tag],
    summary: about,
    ...(route.isOpen === true ? { security: [] } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(content === undefined ? {} : { requestBody: { required: !bodyIsOptional, content } }),
    responses: {
      [success(route)]: answer(route, describe),
      '4XX': FAILURE,
      default: FAILURE,
    },
  };
}

function success({ answer: told, status = 200, streams }: Route): string {
  return told === undefined && streams === undefined ? '204' : String(status);
}

function answer({ answer: told, streams }: Route, describe: Describe): WireObject {
  if (streams !== undefined) {
    const description = 'Server-sent events until the client disconnects.';
    const schema = streams === 'conversation' ? describe(shapes.event, 'output') : { type: 'string' };
    return { description, content: { 'text/event-stream': { schema } } };
  }
  if (told === undefined) return { description: 'Done.' };
  return {
    description: told.description ?? 'Done.',
    content: { 'application/json': { schema: describe(told, 'output') } },
  };
}

const FAILURE = {
  description: 'Why it failed.',
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
};

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description: 'A repeated request with the same key takes effect once and gets the same answer.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
};

const LAST_EVENT_ID = {
  name: 'Last-Event-ID',
  in: 'header',
  description: 'The `id` of the last received event; overrides `after`.',
  schema: { type: 'string' },
};

function pathParameter(name: string): WireObject {
  return { name, in: 'path', required: true, schema: { type: 'string' } };
}

function queryParameters(query: z.ZodObject, describe: Describe): readonly WireObject[] {
  return Object.entries(query.shape).map(([name, schema]) => {
    const { description, ...rest } = describe(schema as z.ZodType, 'output');
    return { name, in: 'query', required: false, schema: rest, ...(description ? { description } : {}) };
  });
}
