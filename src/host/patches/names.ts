import type { ArrayExpression, IfStatement, VariableDeclaration } from 'acorn';
import { type AstNode, findAll, types } from './ast.js';
import { AnchorMissing } from './patch.js';

/** The names that a patch can use inside the dispatcher. Each is derived on demand. */
export interface DispatchNames {
  /** The current control request. */
  readonly message: string;
  /** Answers with success: (message, payload). */
  readonly succeed: string;
  /** Answers with an error: (message, text). */
  readonly fail: string;
  /** The name of the function that reads the state. */
  readonly getAppState: string;
  /** The name of the function that changes the state. */
  readonly setAppState: string;
  /** The clients that the CLI was started with, from its command line and its settings. */
  readonly configuredClients: string;
  /** The name of the list of configured tools. */
  readonly configuredTools: string;
  /** The clients of in-process servers. */
  readonly ownClients: string;
  /** The name of the list of its own tools. */
  readonly ownTools: string;
  /** The state of the servers set at run time: `{ clients, tools, configs }`. */
  readonly dynamic: string;
  /** The conversation so far. */
  readonly messages: string;
  /** The function that returns the id of the conversation. */
  readonly sessionId: string;
  /** The output queue. */
  readonly output: string;
  /** The first `if` of the chain of requests. */
  readonly firstLink: IfStatement;
  /** The last `if` of the chain of requests. */
  readonly lastLink: IfStatement;
}

/** The text that identifies the dispatcher. */
export const DISPATCH_ANCHOR = 'request.subtype==="interrupt"';

/** Derives the names of the dispatcher from its shape. */
export function dispatchNames(dispatcher: AstNode): DispatchNames {
  const links = () => linksOf(dispatcher);
  const link = (subtype: string) => need(links().get(subtype)?.consequent, `the branch of ${subtype}`);
  const message = () => need(types.pathOf(subtypeOwner(first()))?.[0], 'the name of the control request');
  const first = () => need(links().get('interrupt'), DISPATCH_ANCHOR);
  const succeed = () =>
    need(answerCalls(link('interrupt'), message(), 1)[0], 'the answer with success in interrupt');
  const output = () => need(ownerOf(dispatcher, 'enqueue'), 'a.enqueue(...)');
  const clients = () => joinedLists(dispatcher, 'clients');
  const tools = () => joinedLists(dispatcher, 'tools');
  return {
    get message() {
      return message();
    },
    get succeed() {
      return succeed();
    },
    get fail() {
      return errorAnswer(dispatcher) ?? ownErrorAnswer(output());
    },
    get getAppState() {
      return need(namedProperty(dispatcher, 'getAppState'), 'getAppState: a');
    },
    get setAppState() {
      return need(namedProperty(dispatcher, 'setAppState'), 'setAppState: a');
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
      // The oldest CLIs do not have it here; then the output of a patch has none.
      return calledProperty(dispatcher, 'session_id') ?? '(()=>{})';
    },
    get output() {
      return output();
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

/** The branches of the chain by the request they serve, in order. */
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

/** What a branch compares with: `a.request.subtype === "b"` gives b. */
function subtypeIn(link: IfStatement): string | undefined {
  const { test } = link;
  if (test.type !== 'BinaryExpression' || test.operator !== '===') return undefined;
  const path = types.pathOf(test.left)?.slice(1).join('.');
  return path === 'request.subtype' ? types.textOf(test.right) : undefined;
}

function subtypeOwner({ test }: IfStatement): AstNode | undefined {
  return test.type === 'BinaryExpression' ? test.left : undefined;
}

/** The functions that are called with the request and this number of arguments. */
function answerCalls(branch: AstNode, message: string, count: number): readonly string[] {
  return findAll(branch, isCall)
    .filter((call) => call.arguments.length === count && types.nameOf(call.arguments[0]) === message)
    .flatMap((call) => types.calledName(call) ?? []);
}

/** The local function that answers with an error. */
function errorAnswer(dispatcher: AstNode): string | undefined {
  const declarators = findAll(dispatcher, (node): node is AstNode & { type: 'VariableDeclarator' } => {
    return node.type === 'VariableDeclarator' && types.isNode(node.init) && types.isFunction(node.init);
  });
  const found = declarators.find(({ init }) => {
    if (!types.isNode(init) || !types.isFunction(init) || init.params.length !== 2) return false;
    const asked = types.nameOf(init.params[0]);
    return findAll(init, isObjectLiteral).some(
      (node) =>
        types.textOf(types.valueOf(node, 'subtype')) === 'error' &&
        types.pathOf(types.valueOf(node, 'request_id'))?.join('.') === `${asked}.request_id`,
    );
  });
  return types.nameOf(found?.id);
}

/** The oldest CLIs never refuse: adds a function that does, like those of other CLIs. */
function ownErrorAnswer(output: string): string {
  return `((asked,error)=>${output}.enqueue({type:"control_response",response:{subtype:"error",request_id:asked.request_id,error}}))`;
}

function isCall(node: AstNode): node is AstNode & { type: 'CallExpression' } {
  return node.type === 'CallExpression';
}

/** What the CLI was started with, what in-process servers provide, and the state of the servers set at run time. */
type Lists = readonly [configured: string, own: string, dynamic: string];

/** Finds `[...a, …, ...b, ...c.key]`, where a is a parameter of the dispatcher, and returns the three names. */
function joinedLists(dispatcher: AstNode, key: 'clients' | 'tools'): Lists {
  for (const paths of findAll(dispatcher, isArray).map(spreadPaths)) {
    const at = paths.findIndex((path) => path?.length === 2 && path[1] === key);
    const [first, own, last] = [paths[0], paths[at - 1], paths[at]];
    if (at < 2 || first?.length !== 1 || own?.length !== 1 || !isGiven(dispatcher, first[0])) continue;
    if (first[0] !== undefined && own[0] !== undefined && last?.[0] !== undefined)
      return [first[0], own[0], last[0]];
  }
  const early = earlyLists(dispatcher)?.[key];
  if (early !== undefined) return early;
  throw new AnchorMissing(`[...a, ...b, ...c.${key}] or [...a, ...b] with a parameter in front`);
}

/** The state of servers set at run time for a CLI that has none: it stays empty. */
export const NO_DYNAMIC = 'coxswainDynamic';

/** CLIs that cannot set servers at run time have `let a = [...b, ...c], d = [...e, ...f]`: clients, then tools. */
function earlyLists(dispatcher: AstNode): { readonly clients: Lists; readonly tools: Lists } | undefined {
  const declared = findAll(dispatcher, (node): node is VariableDeclaration => {
    return node.type === 'VariableDeclaration' && node.declarations.length > 1;
  });
  for (const { declarations } of declared) {
    const [clients, tools] = declarations.slice(0, 2).map(({ init }) => {
      const paths = init?.type === 'ArrayExpression' ? spreadPaths(init) : [];
      const [[configured] = [], [own] = []] = paths;
      const isPair = paths.length === 2 && paths.every((path) => path?.length === 1);
      if (!isPair || configured === undefined || own === undefined) return undefined;
      return isGiven(dispatcher, configured) ? ([configured, own, NO_DYNAMIC] as const) : undefined;
    });
    if (clients !== undefined && tools !== undefined) return { clients, tools };
  }
  return undefined;
}

function isArray(node: AstNode): node is ArrayExpression {
  return node.type === 'ArrayExpression';
}

function spreadPaths({ elements }: ArrayExpression): readonly (readonly string[] | undefined)[] {
  return elements.map((element) =>
    element?.type === 'SpreadElement' ? types.pathOf(element.argument) : undefined,
  );
}

function isGiven(dispatcher: AstNode, name: string | undefined): boolean {
  return types.isFunction(dispatcher) && dispatcher.params.some((param) => types.nameOf(param) === name);
}

function properties(root: AstNode, key: string): readonly AstNode[] {
  return findAll(root, isObjectLiteral).flatMap((node) => types.valueOf(node, key) ?? []);
}

function isObjectLiteral(node: AstNode): node is AstNode & { type: 'ObjectExpression' } {
  return node.type === 'ObjectExpression';
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
