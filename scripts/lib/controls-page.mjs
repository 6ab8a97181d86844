// docs/reference/controls.md: the control methods of a session, read from their source and from the catalog.
import { readdirSync, readFileSync } from 'node:fs';
import ts from 'typescript';
import { NOTICE, page, table } from './markdown.mjs';
import { since } from './since.mjs';

const FOLDER = 'src/host/session/controls';
const DEFAULT_DEADLINE_MS = 30_000;

/** Builds the page from the catalog's host requests and the sources of the methods. */
export function controlsPage(hostRequests) {
  const classes = readClasses();
  const session = { name: 'session', methods: [...methodsOf(classes.get('Controls')), interruptOf(classes)] };
  const sections = [session, ...groupsOf(classes)];
  const served = new Set(sections.flatMap(({ methods }) => methods.map(({ subtype }) => subtype)));
  const rest = Object.keys(hostRequests).filter((name) => !served.has(name) && !RESOLVED.includes(name));
  return page(
    '# Control methods',
    NOTICE,
    INTRODUCTION,
    ...sections.flatMap(({ name, about, methods }) => [
      `## \`${name}\``,
      ...(about === undefined ? [] : [about]),
      methodTable(name, methods, hostRequests),
    ]),
    '## Endpoints that differ between versions',
    DIFFERENT,
    '## Everything else',
    `\`session.control(subtype, params?, options?)\` sends any request, including unknown ones, unless this CLI is known to
exit on it, misread it or never answer it. A CLI of unknown version gets every request that it cannot misread. Parameters and
answer are as on the wire. These requests have no method: ${rest.map((name) => `\`${name}\``).join(', ')}.`,
    `Source: \`${FOLDER}/\` and \`src/wire/protocol/catalog/host/\`.`,
  );
}

const INTRODUCTION = `Each method sends one control request and resolves to its answer. Parameters and the top level of answers are
camelCase; deeper levels are as on the wire, because their keys are names of servers, models and files. A request that the
CLI only acknowledges resolves to nothing. The last parameter takes \`deadlineMs\` and \`signal\`.

A **–** means that this version does not support the request. If the CLI would never answer it, the method fails immediately with
\`ENDPOINT_UNSUPPORTED\`. [The wire](wire.md) lists the caveats of each request.`;

/** Requests of methods that choose what the current CLI supports. */
const RESOLVED = [
  'mcp_reconnect',
  'mcp_toggle',
  'mcp_tools',
  'mcp_enable',
  'mcp_disable',
  'agent_run_to_background',
  'get_chrome_status',
];

const DIFFERENT = `These methods use what the CLI supports, or fail: \`session.mcp.reconnect(serverName)\`,
\`session.mcp.enable(serverName)\`, \`session.mcp.disable(serverName)\`, \`session.mcp.tools(serverName?)\`,
\`session.background(target?)\`, \`session.chrome.status()\`, \`session.chrome.reconnect()\`. \`session.supports(name, { server? })\`
tells you in advance how, and does so for every other request too; if it is not supported, \`reason\` explains why. \`session.mcp.servers()\` lists
the servers with this information. See [Endpoints](endpoints.md) for the table.`;

function methodTable(group, methods, hostRequests) {
  const rows = methods.map(({ signature, subtype, about }) => {
    const { deadlineMs = DEFAULT_DEADLINE_MS } = hostRequests[subtype];
    return [
      `\`${group}.${signature}\``,
      `\`${subtype}\``,
      since('hostRequests', subtype),
      `${Math.max(deadlineMs, DEFAULT_DEADLINE_MS) / 1000} s`,
      about,
    ];
  });
  return table(['method', 'request', 'since', 'deadline', 'what it does'], rows);
}

function readClasses() {
  const paths = [...readdirSync(FOLDER).map((name) => `${FOLDER}/${name}`), 'src/host/session/session.ts'];
  const classes = paths.flatMap((path) =>
    ts
      .createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true)
      .statements.filter(ts.isClassDeclaration),
  );
  return new Map(classes.map((node) => [node.name.text, node]));
}

/** The groups are the fields of `Controls` that contain another class of methods. */
function groupsOf(classes) {
  return classes
    .get('Controls')
    .members.filter((member) => ts.isPropertyDeclaration(member) && ts.isNewExpression(member.initializer))
    .map((member) => ({
      name: `session.${member.name.text}`,
      about: comment(member),
      methods: methodsOf(classes.get(member.initializer.expression.text)),
    }));
}

function interruptOf(classes) {
  return methodsOf(classes.get('Session')).find(({ subtype }) => subtype === 'interrupt');
}

function methodsOf(node) {
  return node.members
    .filter((member) => ts.isMethodDeclaration(member) && ts.isIdentifier(member.name))
    .map((member) => ({ member, subtype: subtypeOf(member) }))
    .filter(({ subtype }) => subtype !== undefined)
    .map(({ member, subtype }) => ({ subtype, signature: signature(member), about: comment(member) }));
}

/** The first string passed to `this.#call` or `this.control` in a method. */
function subtypeOf(node) {
  if (ts.isCallExpression(node) && ts.isPropertyAccessExpression(node.expression)) {
    const [first] = node.arguments;
    const sends = ['#call', 'control'].includes(node.expression.name.text);
    if (sends && first !== undefined && ts.isStringLiteral(first)) return first.text;
  }
  return ts.forEachChild(node, subtypeOf);
}

function signature({ name, parameters }) {
  return `${name.text}(${parameters.map(parameterName).join(', ')})`;
}

function parameterName({ name, type, questionToken, initializer }) {
  const isOptions = type?.getText().endsWith('Options') ?? false;
  const optional = questionToken !== undefined || initializer !== undefined;
  return `${isOptions || !ts.isIdentifier(name) ? 'options' : name.text}${optional ? '?' : ''}`;
}

function comment(node) {
  const [doc] = ts.getJSDocCommentsAndTags(node);
  if (doc === undefined) throw new Error(`${node.name.getText()} needs a sentence`);
  return ts.getTextOfJSDocComment(doc.comment);
}
