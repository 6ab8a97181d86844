import { type AstNode, types } from './ast.js';

/** Sees a node with those around it. To answer `skip` leaves out what is inside, `stop` ends the walk. */
export type Visit = (node: AstNode, parents: readonly AstNode[]) => unknown;

/** Walks a tree from the outside in, in the order of the source. */
export type Traverse = (root: AstNode, visit: Visit) => void;

/** Walks a tree from the outside in, in the order of the source. */
export const traverse: Traverse = (root, visit) => {
  walk(root, [], visit);
};

/** Finds every node of a tree that fits. */
export function findAll<Found extends AstNode>(
  root: AstNode,
  fits: (node: AstNode) => node is Found,
): readonly Found[] {
  const found: Found[] = [];
  traverse(root, (node) => {
    if (fits(node)) found.push(node);
  });
  return found;
}

function walk(node: AstNode, parents: readonly AstNode[], visit: Visit): boolean {
  const answer = visit(node, parents);
  if (answer === 'stop') return false;
  if (answer === 'skip') return true;
  const inner = [...parents, node];
  return childrenOf(node).every((child) => walk(child, inner, visit));
}

function childrenOf(node: AstNode): readonly AstNode[] {
  const children = Object.values(node).flat().filter(types.isNode);
  return children.sort((a, b) => a.start - b.start);
}
