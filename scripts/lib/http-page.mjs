// docs/reference/http-api.md: the routes of the HTTP API, from the table that serves them.
import { NOTICE, page, table } from './markdown.mjs';

/** Builds the page from the routes and their OpenAPI document. */
export function httpPage(routes, document) {
  const tags = [...new Set(routes.map(({ tag }) => tag))];
  return page(
    '# The HTTP API',
    NOTICE,
    INTRODUCTION,
    ...tags.flatMap((tag) => [
      `## ${tag}`,
      table(
        ['route', 'what it does', 'takes', 'returns'],
        routes.filter((route) => route.tag === tag).map((route) => row(route, document)),
      ),
    ]),
    ENDING,
  );
}

const INTRODUCTION = `All routes are below \`/api/v1\` of a [console server](../how-to/run-a-console.md). [The guide](../how-to/any-language.md) has programs for
\`curl\` and Python. The server describes itself at \`/api/v1/openapi.json\` (OpenAPI 3.1), which is generated from the same table as this page.

Every other request needs \`Authorization: Bearer <token>\`, with the server's token or one of \`coxswain console keys\`. Roles, folders and
limits are the same as on [the socket](console-protocol.md). The API does not accept the secrets of pages, and there are no cookies.`;

const ENDING = `\\* is required. Routes with ⟳ accept an \`Idempotency-Key\`: repeating a request with the same key has no further effect.

## Events

\`GET …/events\` answers with server-sent events. \`data\` is an event of [the log](console-protocol.md#events) with its number; send its
\`id\` as \`Last-Event-ID\` to continue after it. \`attached\` comes first, and again whenever events are missing (\`reset\`).
\`GET /events\` sends \`session\` with the current state of a conversation, and \`session-removed\`. A comment is sent every 20 s. A client
that reads nothing for a minute is disconnected.

## Errors

Errors are \`application/problem+json\` (RFC 9457) with \`type\`, \`title\`, \`status\`, \`detail\` and \`code\`. The codes are
[those of the package](errors.md), and:

| status | code | when |
|---|---|---|
| 401 | \`KEY_REFUSED\` | no key, or an invalid one |
| 403 | \`ORIGIN_REFUSED\` | the request comes from another origin, or has a wrong \`Host\` |
| 404, 405 | \`NOT_FOUND\`, \`METHOD_NOT_ALLOWED\` | no such route |
| 408 | – | the request took longer than 10 minutes to arrive |
| 410 | \`ANSWER_KEY_GONE\` | the answer URL was used, has expired, or is invalid |
| 413 | \`BODY_TOO_LONG\` | the body is longer than \`limits.message\` (32 MiB) |
| 429 | \`TOO_MANY_REQUESTS\` | more than \`limits.requests\` (1,200 per minute, 300 at once), or 128 unfinished requests of one key; see \`Retry-After\` |
| 503 | \`TOO_MANY_CLIENTS\` | \`limits.clients\` (500) streams and sockets are open |
| 500 | \`SERVER_FAILED\` | an internal error; see the audit log |

Source: \`src/server/console/api/\`.`;

function row({ method, path, about, streams }, { paths, components }) {
  const operation = paths[path][method];
  const acts = (operation.parameters ?? []).some(({ name }) => name === 'Idempotency-Key');
  const body = operation.requestBody?.content['application/json'].schema;
  const query = (operation.parameters ?? [])
    .filter((each) => each.in === 'query')
    .map(({ name }) => `\`?${name}\``);
  const { content = {} } = Object.entries(operation.responses)[0][1];
  const answer = streams === undefined ? content['application/json']?.schema : undefined;
  return [
    `\`${method.toUpperCase()} ${path}\`${acts ? ' ⟳' : ''}`,
    about,
    [...query, fields(body, components)].filter(Boolean).join(', ') || '–',
    streams === undefined ? fields(answer, components) || '–' : 'events',
  ];
}

function fields(schema, components) {
  if (schema === undefined) return '';
  const name = schema.$ref?.split('/').at(-1);
  const {
    properties = {},
    required = [],
    oneOf,
    anyOf,
  } = name === undefined ? schema : components.schemas[name];
  if (oneOf ?? anyOf) return (oneOf ?? anyOf).map((each) => `\`${each.properties.answer.const}\``).join(', ');
  const listed = Object.keys(properties).map((key) => `\`${key}\`${required.includes(key) ? '\\*' : ''}`);
  return listed.length > 8 ? `${listed.slice(0, 8).join(', ')} …` : listed.join(', ');
}
