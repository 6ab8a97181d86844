import { type AstNode, types } from '../ast.js';
import type { PatchContext } from '../patch.js';
import { findAll } from '../traverse.js';

/** The CLI's own functions that connect a server anew and that close it: both take its name and its configuration. */
export interface Connections {
  /** Resolves to `{ client, tools }`. */
  readonly reconnect: string;
  readonly close: string;
}

const ANCHOR = 'Error during reconnection';

/** Finds them: the one says so when it fails, and closes the server first. */
export function findConnections(context: PatchContext): Connections {
  for (const { ast } of context.find(ANCHOR)) {
    const reconnect = ast.type === 'FunctionExpression' ? ast.id?.name : undefined;
    const close = firstAwaited(ast);
    if (reconnect !== undefined && close !== undefined) return { reconnect, close };
  }
  return context.missing(`the function around "${ANCHOR}"`);
}

/** The first call that is waited for, if it hands on both parameters. */
function firstAwaited(ast: AstNode): string | undefined {
  const [first] = findAll(ast, (node): node is AstNode & { type: 'AwaitExpression' } => {
    return node.type === 'AwaitExpression';
  });
  return first === undefined ? undefined : types.calledName(first.argument, 2);
}
