import { type AstNode, findAll, types } from '../ast.js';
import type { PatchContext } from '../patch.js';

/**
 * The end of background work is queued like a prompt. The oldest CLIs exit when they read it in a session on a pipe, others
 * tell the host but not the model, and none reads it before the next message arrives. Returns whether that had to be changed.
 */
export function tellOfTheEnd(ast: AstNode, context: PatchContext): boolean {
  const { slice, missing } = context;
  const checks = findAll(ast, (node): node is AstNode & { type: 'IfStatement' } => {
    return node.type === 'IfStatement' && node.consequent.type === 'ThrowStatement';
  });
  const check =
    checks.find((node) => slice.text(node.consequent).includes(NOT_A_PROMPT)) ?? missing(NOT_A_PROMPT);
  if (tellsTheModel(ast, slice.text(check.test))) return false;
  const [command] = modeIn(check.test) ?? missing(`a.mode before ${NOT_A_PROMPT}`);
  const begin = loopOf(ast) ?? missing('onEnqueued: () => { a() }');
  context.addHelper(
    'endings',
    `function coxswainIsNotice(command){return/^(agent|bash|task)-notification$/.test(command.mode)}
function coxswainEnded(command){
const text=String(command.value),read=(tag)=>new RegExp("<"+tag+">([^<]*)<").exec(text)?.[1]??"",prompt={...command,mode:"prompt",value:text};
if(command.mode==="bash-notification"){coxswainTellOfShell(read("shell-id"),{status:read("status"),outputFile:read("output-file")});return prompt}
const told=read("(?:agent|task)-id"),[oldest]=coxswainMoved.keys(),id=coxswainMoved.has(told)?told:oldest??told,status=read("status"),call=coxswainMoved.get(id);
coxswainMoved.delete(id);
if(!coxswainStopped.delete(id))coxswainSendTask("task_notification",id,{call,status:status==="killed"?"stopped":status||"completed",output_file:read("output-file"),summary:read("summary")});
return prompt}
function coxswainReadNotices(state){if(state.queuedCommands?.some(coxswainIsNotice))${begin}()}
`,
  );
  slice.before(check, `if(coxswainIsNotice(${command}))${command}=coxswainEnded(${command});`);
  return true;
}

/** Whether the CLI itself passes such a notice to the model: it knows the mode, and continues with it. */
function tellsTheModel(ast: AstNode, test: string): boolean {
  if (!test.includes('"task-notification"')) return false;
  const branches = findAll(ast, (node): node is AstNode & { type: 'IfStatement' } => {
    return (
      node.type === 'IfStatement' &&
      node.test.type === 'BinaryExpression' &&
      types.textOf(node.test.right) === 'task-notification'
    );
  });
  return !branches.some(
    ({ consequent }) =>
      findAll(consequent, (node): node is AstNode & { type: 'ContinueStatement' } => {
        return node.type === 'ContinueStatement';
      }).length > 0,
  );
}

/** The function that reads the queue; call it after adding to the queue. */
function loopOf(ast: AstNode): string | undefined {
  const objects = findAll(ast, (node): node is AstNode & { type: 'ObjectExpression' } => {
    return node.type === 'ObjectExpression' && types.valueOf(node, 'onEnqueued') !== undefined;
  });
  const callback = types.valueOf(objects[0], 'onEnqueued');
  const calls = callback === undefined ? [] : findAll(callback, isCall);
  return calls.flatMap((call) => types.calledName(call, 0) ?? [])[0];
}

function isCall(node: AstNode): node is AstNode & { type: 'CallExpression' } {
  return node.type === 'CallExpression';
}

const NOT_A_PROMPT = 'only prompt commands are supported';

function modeIn(test: AstNode): readonly string[] | undefined {
  const paths = findAll(test, (node): node is AstNode & { type: 'MemberExpression' } => {
    return node.type === 'MemberExpression';
  }).map((node) => types.pathOf(node));
  return paths.find((path) => path?.length === 2 && path[1] === 'mode');
}
