// docs/reference/http-api.md: the routes of the HTTP API, from the table that serves them.
import { NOTICE, page, table } from './markdown.mjs';

/** Makes the page from the routes and the OpenAPI document that is made of them. */
export function httpPage(routes, document) {
  const tags = [...new Set(routes.map(({ tag }) => tag))];
  return page(
    '# The HTTP API',
    NOTICE,
    INTRODUCTION,
    ...tags.flatMap((tag) => [
      `## ${tag}`,
      table(
        ['route', 'what it does', 'takes', 'gives'],
        routes.filter((route) => route.tag === tag).map((route) => row(route, document)),
      ),
    ]),
    ENDING,
  );
}

const INTRODUCTION = `Everything lies below \`/api/v1\` of a [console server](../how-to/console.md). [How to use it](../how-to/any-language.md) has programs for
\`curl\` and Python. The server describes itself at \`/api/v1/openapi.json\` (OpenAPI 3.1), which is made of the same table as this page.

Every request but that one has \`Authorization: Bearer <token>\`: the server's token, or one of \`coxswain console keys\`. Roles, folders and
limits are those of [the socket](console-protocol.md). Secrets of pages are no keys here, and there are no cookies.`;

const ENDING = `\\* is required. A route with ⟳ takes an \`Idempotency-Key\`: sent again with it, the request takes effect once.

## Events

\`GET …/events\` answers with server-sent events. \`data\` is an event of [the log](console-protocol.md#events) with its number, which is the \`id\`
too; \`Last-Event-ID\` goes on behind it. \`attached\` comes first, and whenever events are missing (\`reset\`). \`GET /events\` tells \`session\` with a
conversation as it is now, and \`session-removed\`. A comment comes every 20 s. A client that takes nothing for a minute is let go.

## Errors

\`application/problem+json\` (RFC 9457) with \`type\`, \`title\`, \`status\`, \`detail\`, and \`code\`. The codes are [those of the package](errors.md), and:

| status | code | when |
|---|---|---|
| 401 | \`KEY_REFUSED\` | no key, or one that is not good |
| 403 | \`ORIGIN_REFUSED\` | a page of another origin, or a wrong \`Host\` |
| 404, 405 | \`NOT_FOUND\`, \`METHOD_NOT_ALLOWED\` | no such route |
| 410 | \`ANSWER_KEY_GONE\` | the address of an answer was used, has expired, or is none |
| 413 | \`BODY_TOO_LONG\` | the body is longer than \`limits.message\` (32 MiB) |
| 429 | \`TOO_MANY_REQUESTS\` | more than \`limits.requests\` (1,200 per minute, 300 at once), or 128 of one key at work; \`Retry-After\` |
| 503 | \`TOO_MANY_CLIENTS\` | as many streams and sockets as \`limits.clients\` (500) |
| 500 | \`SERVER_FAILED\` | a fault of the server; the audit log has it |

Source: \`src/server/console/api/\`.`;

function row({ method, path, about, acts, streams }, { paths, components }) {
  const operation = paths[path][method];
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
