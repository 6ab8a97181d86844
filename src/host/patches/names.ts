import type { ArrayExpression, IfStatement } from 'acorn';
import { type AstNode, findAll, types } from './ast.js';
import { AnchorMissing } from './patch.js';

/** The names that a patch can use inside the dispatcher. Each is derived when it is asked for. */
export interface DispatchNames {
  /** The current control request. */
  readonly message: string;
  /** Answers with success: (message, payload). */
  readonly succeed: string;
  /** Answers with an error: (message, text). */
  readonly fail: string;
  readonly getAppState: string;
  readonly setAppState: string;
  /** Clients and tools of the servers that the command line and settings brought. */
  readonly configuredClients: string;
  readonly configuredTools: string;
  /** Those of in-process servers. */
  readonly ownClients: string;
  readonly ownTools: string;
  /** The state of the servers set at run time: `{ clients, tools, configs }`. */
  readonly dynamic: string;
  /** The conversation so far. */
  readonly messages: string;
  /** The function that gives the id of the conversation. */
  readonly sessionId: string;
  /** The queue of what is printed. */
  readonly output: string;
  /** The first and the last link of the chain that tells requests apart. */
  readonly firstLink: IfStatement;
  readonly lastLink: IfStatement;
}

/** The text by which the dispatcher is found. */
export const DISPATCH_ANCHOR = 'request.subtype==="interrupt"';

/** Derives the names of the dispatcher from its shape. */
export function dispatchNames(dispatcher: AstNode): DispatchNames {
  const links = () => linksOf(dispatcher);
  const link = (subtype: string) => need(links().get(subtype)?.consequent, `the branch of ${subtype}`);
  const message = () => need(types.pathOf(subtypeOwner(first()))?.[0], 'the name of the control request');
  const first = () => need(links().get('interrupt'), DISPATCH_ANCHOR);
  const succeed = () =>
    need(answerCalls(link('interrupt'), message(), 1)[0], 'the answer with success in interrupt');
  const clients = () =>
    threeSpreads(link('mcp_status'), 'clients', '[...a, ...b, ...c.clients] in mcp_status');
  const tools = () => threeSpreads(dispatcher, 'tools', '[...a, ...b, ...c.tools]');
  return {
    get message() {
      return message();
    },
    get succeed() {
      return succeed();
    },
    get fail() {
      const calls = answerCalls(link('rewind_files'), message(), 2);
      const fail = calls.find((name) => name !== succeed());
      return need(fail, 'the answer with an error in rewind_files');
    },
    get getAppState() {
      return need(awaitedCall(link('rewind_files')), 'the state that rewind_files reads');
    },
    get setAppState() {
      return need(updaterCall(link('set_permission_mode')), 'the state that set_permission_mode changes');
    },
    get configuredClients() {
      return clients()[0];
    },
    get configuredTools() {
      return tools()[0];
    },
    get ownClients() {
      return clients()[1];
    },
    get ownTools() {
      return tools()[1];
    },
    get dynamic() {
      return clients()[2];
    },
    get messages() {
      return need(namedProperty(dispatcher, 'mutableMessages'), 'mutableMessages: a');
    },
    get sessionId() {
      return need(calledProperty(dispatcher, 'session_id'), 'session_id: a()');
    },
    get output() {
      return need(ownerOf(dispatcher, 'enqueue'), 'a.enqueue(...)');
    },
    get firstLink() {
      return first();
    },
    get lastLink() {
      return need([...links().values()].at(-1), DISPATCH_ANCHOR);
    },
  };
}

function need<Value>(value: Value | undefined, anchor: string): Value {
  if (value === undefined) throw new AnchorMissing(anchor);
  return value;
}

/** The links of the chain by the request they serve, in order. */
function linksOf(dispatcher: AstNode): ReadonlyMap<string, IfStatement> {
  const links = new Map<string, IfStatement>();
  const begin = findAll(dispatcher, isIf).find((node) => subtypeIn(node) === 'interrupt');
  let link: AstNode | null | undefined = begin;
  while (link?.type === 'IfStatement') {
    const subtype = subtypeIn(link);
    if (subtype !== undefined) links.set(subtype, link);
    link = link.alternate;
  }
  return links;
}

function isIf(node: AstNode): node is IfStatement {
  return node.type === 'IfStatement';
}

/** What a link compares with: `a.request.subtype === "b"` gives b. */
function subtypeIn(link: IfStatement): string | undefined {
  const { test } = link;
  if (test.type !== 'BinaryExpression' || test.operator !== '===') return undefined;
  const path = types.pathOf(test.left)?.slice(1).join('.');
  return path === 'request.subtype' ? types.textOf(test.right) : undefined;
}

function subtypeOwner({ test }: IfStatement): AstNode | undefined {
  return test.type === 'BinaryExpression' ? test.left : undefined;
}

/** The functions that are called with the request and this many arguments in all. */
function answerCalls(branch: AstNode, message: string, count: number): readonly string[] {
  return findAll(branch, isCall)
    .filter((call) => call.arguments.length === count && types.nameOf(call.arguments[0]) === message)
    .flatMap((call) => types.calledName(call) ?? []);
}

function awaitedCall(branch: AstNode): string | undefined {
  const awaited = findAll(branch, (node): node is AstNode & { type: 'AwaitExpression' } => {
    return node.type === 'AwaitExpression' && types.calledName(node.argument, 0) !== undefined;
  });
  return awaited[0] === undefined ? undefined : types.calledName(awaited[0].argument);
}

function updaterCall(branch: AstNode): string | undefined {
  const update = findAll(branch, isCall).find(
    (call) => call.arguments.length === 1 && call.arguments[0]?.type === 'ArrowFunctionExpression',
  );
  return types.calledName(update);
}

function isCall(node: AstNode): node is AstNode & { type: 'CallExpression' } {
  return node.type === 'CallExpression';
}

/** Finds `[...a, ...b, ...c.key]` and gives the three names. */
function threeSpreads(root: AstNode, key: string, anchor: string): readonly [string, string, string] {
  const arrays = findAll(root, (node): node is ArrayExpression => node.type === 'ArrayExpression');
  for (const { elements } of arrays) {
    const paths = elements.map((element) =>
      element?.type === 'SpreadElement' ? types.pathOf(element.argument) : undefined,
    );
    const [first, second, third] = paths;
    const fits = paths.length === 3 && first?.length === 1 && second?.length === 1 && third?.[1] === key;
    if (fits && first[0] !== undefined && second[0] !== undefined && third[0] !== undefined)
      return [first[0], second[0], third[0]];
  }
  throw new AnchorMissing(anchor);
}

function properties(root: AstNode, key: string): readonly AstNode[] {
  const objects = findAll(root, (node): node is AstNode & { type: 'ObjectExpression' } => {
    return node.type === 'ObjectExpression';
  });
  return objects.flatMap((node) => types.valueOf(node, key) ?? []);
}

function namedProperty(root: AstNode, key: string): string | undefined {
  return properties(root, key).flatMap((value) => types.nameOf(value) ?? [])[0];
}

function calledProperty(root: AstNode, key: string): string | undefined {
  return properties(root, key).flatMap((value) => types.calledName(value, 0) ?? [])[0];
}

function ownerOf(root: AstNode, method: string): string | undefined {
  const paths = findAll(root, isCall).map(({ callee }) => types.pathOf(callee));
  return paths.find((path) => path?.length === 2 && path[1] === method)?.[0];
}
