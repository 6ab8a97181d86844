import { type AstNode, findAll, types } from '../ast.js';
import type { Patch, PatchContext } from '../patch.js';
import { addServerHelpers } from './server-helpers.js';

const ANCHOR = 'isExtensionInstalled:';

/** Serves `get_chrome_status` from what the CLI's own settings page shows. */
export const chromeStatus: Patch = {
  id: '002-chrome-status',
  version: 2,
  description: 'Reports the state of the Chrome extension: get_chrome_status.',
  priority: 20,
  serves: ['get_chrome_status'],
  apply: (_ast, _types, _traverse, context) => {
    const { isInstalled, readConfig } = findSources(context);
    const { message, succeed } = context.names;
    addServerHelpers(context);
    context.addRequest(
      'get_chrome_status',
      `const status=(await coxswainServer("claude-in-chrome"))?.type??null;
${succeed}(${message},{installed:await ${isInstalled}(),enabled:${readConfig}().claudeInChromeDefaultEnabled===true,connected:status==="connected",mcpServerStatus:status,extensionVersion:null});`,
    );
    return { success: true, details: [`installed by ${isInstalled}, enabled by ${readConfig}`] };
  },
};

interface Sources {
  readonly isInstalled: string;
  readonly readConfig: string;
}

/** The page gets `{ isExtensionInstalled: a, configEnabled: b.claudeInChromeDefaultEnabled }`. */
function findSources(context: PatchContext): Sources {
  for (const { ast } of context.find(ANCHOR)) {
    const [props] = findAll(ast, (node): node is AstNode & { type: 'ObjectExpression' } => {
      return node.type === 'ObjectExpression' && types.valueOf(node, 'isExtensionInstalled') !== undefined;
    });
    const installed = declaredAs(ast, types.nameOf(types.valueOf(props, 'isExtensionInstalled')));
    const config = declaredAs(ast, types.pathOf(types.valueOf(props, 'configEnabled'))?.[0]);
    const isInstalled = installed?.type === 'AwaitExpression' ? firstCall(installed.argument) : undefined;
    const readConfig = types.calledName(config, 0);
    if (isInstalled !== undefined && readConfig !== undefined) return { isInstalled, readConfig };
  }
  return context.missing(`{ ${ANCHOR} a, configEnabled: b.claudeInChromeDefaultEnabled }`);
}

/** The name that is called first: `a` in `a()` or `a().catch(…)`. */
function firstCall(node: AstNode): string | undefined {
  if (node.type !== 'CallExpression') return undefined;
  return node.callee.type === 'MemberExpression' ? firstCall(node.callee.object) : types.calledName(node, 0);
}

/** What a name is declared as. */
function declaredAs(ast: AstNode, name: string | undefined): AstNode | undefined {
  const declarators = findAll(ast, (node): node is AstNode & { type: 'VariableDeclarator' } => {
    return node.type === 'VariableDeclarator' && name !== undefined && types.nameOf(node.id) === name;
  });
  return declarators[0]?.init ?? undefined;
}
