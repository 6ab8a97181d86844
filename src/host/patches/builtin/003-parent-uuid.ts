import type { ObjectExpression, VariableDeclaration } from 'acorn';
import { type AstNode, findAll, types } from '../ast.js';
import type { Patch, PatchContext } from '../patch.js';

/** Lets a user message name its parent message; later messages are dropped. */
export const parentUuid: Patch = {
  id: '003-parent-uuid',
  description: 'Supports parentUuid in user messages, so a message can follow any earlier one.',
  priority: 30,
  serves: ['parentUuid'],
  apply: (ast, _types, _traverse, context) => {
    const { names, slice } = context;
    const { message, messages, output, sessionId } = names;
    const queued = findQueued(ast, message, context);
    const taken = findTaken(ast, context);
    const last = queued.properties.at(-1);
    if (last === undefined) return context.missing('the properties of a queued message');
    slice.after(last, `,coxswainParent:${message}.parentUuid`);
    const error = `{type:"result",subtype:"error_during_execution",is_error:true,duration_ms:0,duration_api_ms:0,num_turns:0,total_cost_usd:0,usage:{},modelUsage:{},permission_denials:[],session_id:${sessionId}(),uuid:crypto.randomUUID(),errors:["No message "+coxswainParent+" to go on from"]}`;
    slice.after(
      taken.statement,
      `let coxswainParent=${taken.name}.coxswainParent;if(coxswainParent!==void 0){let coxswainAt=coxswainParent===null?-1:${messages}.findLastIndex((each)=>each.uuid===coxswainParent);if(coxswainAt<0&&coxswainParent!==null){${output}.enqueue(${error});continue}${messages}.splice(coxswainAt+1)}`,
    );
    return { success: true, details: ['user messages may carry parentUuid'] };
  },
};

/** Where a user message is queued: `{ mode: "prompt", value: …, uuid: a.uuid }`, where `a` is the message. */
function findQueued(ast: AstNode, message: string, context: PatchContext): ObjectExpression {
  const found = findAll(ast, (node): node is ObjectExpression => node.type === 'ObjectExpression').find(
    (node) =>
      types.textOf(types.valueOf(node, 'mode')) === 'prompt' &&
      types.pathOf(types.valueOf(node, 'uuid'))?.join('.') === `${message}.uuid`,
  );
  return found ?? context.missing('{ mode: "prompt", uuid: a.uuid }');
}

/** Where it is taken from the queue: `let a = b.value`, followed by `prompt: a` next to `promptUuid`. */
function findTaken(ast: AstNode, context: PatchContext): { statement: VariableDeclaration; name: string } {
  const [call] = findAll(ast, (node): node is ObjectExpression => {
    return node.type === 'ObjectExpression' && types.valueOf(node, 'promptUuid') !== undefined;
  });
  const prompt = types.nameOf(types.valueOf(call, 'prompt'));
  const statements = findAll(ast, (node): node is VariableDeclaration => node.type === 'VariableDeclaration');
  for (const statement of statements) {
    for (const { id, init } of statement.declarations) {
      const path = types.pathOf(init);
      const isIt = prompt !== undefined && types.nameOf(id) === prompt && path?.length === 2;
      if (isIt && path?.[1] === 'value' && path[0] !== undefined) return { statement, name: path[0] };
    }
  }
  return context.missing('let a = b.value before prompt: a, promptUuid: c');
}
