import type {
  AnyNode,
  ArrowFunctionExpression,
  FunctionDeclaration,
  FunctionExpression,
  Property,
} from 'acorn';

/** A node of acorn's syntax tree. */
export type AstNode = AnyNode;

/** A function of any kind. */
export type FunctionNode = ArrowFunctionExpression | FunctionDeclaration | FunctionExpression;

/** Small tests on nodes, for patches to recognise shapes without knowing minified names. */
export const types = {
  /** Whether a value is a node. */
  isNode(value: unknown): value is AstNode {
    return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string';
  },

  /** The name, if the node is a plain name. */
  nameOf(node: unknown): string | undefined {
    return types.isNode(node) && node.type === 'Identifier' ? node.name : undefined;
  },

  /** The text, if the node is a string. */
  textOf(node: unknown): string | undefined {
    return types.isNode(node) && node.type === 'Literal' && typeof node.value === 'string'
      ? node.value
      : undefined;
  },

  /** The path of a chain of plain members, such as `a.b.c`. */
  pathOf(node: unknown): readonly string[] | undefined {
    if (!types.isNode(node)) return undefined;
    if (node.type === 'Identifier') return [node.name];
    if (node.type !== 'MemberExpression' || node.computed) return undefined;
    const object = types.pathOf(node.object);
    const key = types.nameOf(node.property);
    return object === undefined || key === undefined ? undefined : [...object, key];
  },

  /** The value of a key, if the node is an object literal or a pattern that has it. */
  valueOf(node: unknown, key: string): AstNode | undefined {
    if (!types.isNode(node) || (node.type !== 'ObjectExpression' && node.type !== 'ObjectPattern'))
      return undefined;
    const found = node.properties.find(
      (property): property is Property =>
        property.type === 'Property' && !property.computed && types.nameOf(property.key) === key,
    );
    return found?.value;
  },

  /** The called name, if the node is a call of a plain name with this number of arguments. */
  calledName(node: unknown, count?: number): string | undefined {
    if (!types.isNode(node) || node.type !== 'CallExpression') return undefined;
    return count === undefined || node.arguments.length === count ? types.nameOf(node.callee) : undefined;
  },

  /** Whether the node is a function of any kind. */
  isFunction(node: AstNode): node is FunctionNode {
    return (
      node.type === 'FunctionDeclaration' ||
      node.type === 'FunctionExpression' ||
      node.type === 'ArrowFunctionExpression'
    );
  },
} as const;

/** The helpers in {@link types}. */
export type Types = typeof types;

/** Gets a node and its ancestors. Return `skip` to leave out its children, `stop` to end the walk. */
export type Visit = (node: AstNode, parents: readonly AstNode[]) => unknown;

/** Walks a tree top-down, in source order. */
export type Traverse = (root: AstNode, visit: Visit) => void;

/** Walks a tree top-down, in source order. */
export const traverse: Traverse = (root, visit) => {
  walk(root, [], visit);
};

/** Finds every matching node of a tree. */
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
