import { type AstNode, findAll, traverse, types } from '../ast.js';
import type { Patch, PatchContext } from '../patch.js';
import type { Slice } from '../slices.js';
import { tellOfTheEnd } from './agent-endings.js';

const ANCHOR = 'onBackground:';
const MOVES_AGENTS = 'agents can be moved';

/**
 * Serves `agent_run_to_background`: moves running agents and commands as ctrl+b does in the terminal. Reports agents
 * as newer CLIs do: when they were moved, when they ended, and with a turn that tells the model about it.
 */
export const runInBackground: Patch = {
  id: '001-run-in-background',
  version: 2,
  description:
    'Moves a running agent or command to the background, and reports its end: agent_run_to_background { target_id? }, stop_task { task_id }.',
  priority: 10,
  serves: ['agent_run_to_background', 'stop_task'],
  apply: (ast, _types, _traverse, context) => {
    const wrapped = [...context.find(ANCHOR, { method: 'call' }), ...context.find(ANCHOR)].flatMap(
      (slice) => wrapLoop(slice) ?? [],
    );
    const mover = stateMover(context);
    if (wrapped.length === 0 && mover === undefined)
      context.missing(
        `a call with { ${ANCHOR} a } beside an endless loop, or functions around ${STATE_ANCHOR} and ${REGISTRY_ANCHOR}`,
      );
    // Older CLIs can move only commands; the model hears of their end anyway.
    const movesAgents = mover !== undefined || wrapped.includes(MOVES_AGENTS);
    addMove(context, { mover, movesAgents });
    if (!movesAgents) return { success: true, details: wrapped, serves: ['agent_run_to_background'] };
    addStop(context);
    tellOfTheEnd(ast, context);
    return {
      success: true,
      details: [...wrapped, ...(mover === undefined ? [] : [`${MOVES_AGENTS} by ${mover.split('(')[0]}`])],
    };
  },
};

/**
 * Newer CLIs keep running agents in their state, with a function that moves one: (id, getState, setState), or (id, registry)
 * with the task registry that another function creates from the two.
 */
function stateMover({ find, names }: PatchContext): string | undefined {
  const named = (anchor: string, count: number) =>
    find(anchor).flatMap(({ ast }) =>
      ast.type === 'FunctionExpression' && ast.params.length === count ? (ast.id?.name ?? []) : [],
    )[0];
  const state = () => `()=>state,${names.setAppState}`;
  const older = named(STATE_ANCHOR, 3);
  if (older !== undefined) return `${older}(id,${state()})`;
  const newer = named(STATE_ANCHOR, 2);
  const registry = named(REGISTRY_ANCHOR, 2);
  return newer === undefined || registry === undefined ? undefined : `${newer}(id,${registry}(${state()}))`;
}

const REGISTRY_ANCHOR = 'applyOffsetsAndEvict(';
const STATE_ANCHOR = 'isBackgrounded)return!1;';

/** Registers the work while its loop runs, with the function that moves it. */
function wrapLoop(slice: Slice): string | undefined {
  const move = moverIn(slice.ast);
  const scope = move === undefined ? undefined : scopeOf(slice.ast, move);
  const loop = scope === undefined ? undefined : loopIn(scope);
  if (move === undefined || scope === undefined || loop === undefined) return undefined;
  const agent = agentIn(scope);
  const message = messageOf(slice.ast);
  const input = inputOf(slice.ast);
  const facts = [
    ...(agent === undefined ? [] : [`agentId:${agent}`]),
    ...(message === undefined ? [] : [`message:${message}`]),
    ...(input === undefined ? [] : [`input:${input}`]),
  ];
  const work = `{move:()=>${move}(),${facts.join(',')}}`;
  slice.before(
    loop,
    `let coxswainWork=${work};(globalThis.coxswainRunning??=new Set()).add(coxswainWork);globalThis.coxswainStarted?.();try{`,
  );
  slice.after(loop, '}finally{globalThis.coxswainRunning.delete(coxswainWork)}');
  return agent === undefined ? 'commands can be moved' : MOVES_AGENTS;
}

/** The function that the terminal gets as `onBackground`. */
function moverIn(ast: AstNode): string | undefined {
  const objects = findAll(ast, (node): node is AstNode & { type: 'ObjectExpression' } => {
    return (
      node.type === 'ObjectExpression' && types.nameOf(types.valueOf(node, 'onBackground')) !== undefined
    );
  });
  return types.nameOf(types.valueOf(objects[0], 'onBackground'));
}

/** The innermost function that declares a name. */
function scopeOf(ast: AstNode, name: string): AstNode | undefined {
  let scope: AstNode | undefined;
  traverse(ast, (node, parents) => {
    const declares =
      (node.type === 'FunctionDeclaration' && types.nameOf(node.id) === name) ||
      (node.type === 'VariableDeclarator' && types.nameOf(node.id) === name);
    if (declares) scope = parents.findLast(types.isFunction);
  });
  return scope;
}

/** The first endless loop of a function, not counting inner functions. */
function loopIn(scope: AstNode): AstNode | undefined {
  let loop: AstNode | undefined;
  traverse(scope, (node) => {
    if (node !== scope && types.isFunction(node)) return 'skip';
    if (node.type !== 'WhileStatement' || node.test.type === 'BinaryExpression') return undefined;
    loop = node;
    return 'stop';
  });
  return loop;
}

function agentIn(scope: AstNode): string | undefined {
  const objects = findAll(scope, (node): node is AstNode & { type: 'ObjectExpression' } => {
    return node.type === 'ObjectExpression' && types.nameOf(types.valueOf(node, 'agentId')) !== undefined;
  });
  return types.nameOf(types.valueOf(objects[0], 'agentId'));
}

/** A tool gets the message that calls it as its fourth parameter. */
function messageOf(ast: AstNode): string | undefined {
  return types.isFunction(ast) ? types.nameOf(ast.params[3]) : undefined;
}

function inputOf(ast: AstNode): string | undefined {
  return types.isFunction(ast) ? types.nameOf(types.valueOf(ast.params[0], 'input')) : undefined;
}

function addMove(
  context: PatchContext,
  { mover, movesAgents }: { readonly mover: string | undefined; readonly movesAgents: boolean },
): void {
  const { message, succeed, messages } = context.names;
  context.addHelper(
    'running',
    `const coxswainMoved=new Map(),coxswainStopped=new Set();
function coxswainCalls(){return ${messages}.flatMap((each)=>each.type==="assistant"?each.message.content.filter((block)=>block.type==="tool_use"):[])}
function coxswainFits(work,input){return work.input===undefined?work.prompt!==undefined&&input.prompt===work.prompt:input.command===work.input.command}
function coxswainCallOf(work){return work.message?.message.content.find((block)=>block.type==="tool_use")??coxswainCalls().findLast((block)=>coxswainFits(work,block.input))}
function coxswainIsTarget(work,target){
if(target===undefined||work.agentId===target)return true;
if(work.message?.message.content.some((block)=>block.type==="tool_use"&&block.id===target))return true;
const input=coxswainCalls().find((block)=>block.id===target)?.input;return input!==undefined&&coxswainFits(work,input)}
async function coxswainRunning(){${mover === undefined ? 'return[...(globalThis.coxswainRunning??[])]' : fromState(context, mover)}}
async function coxswainFind(target,waitMs){const until=Date.now()+waitMs;for(;;){
const found=(await coxswainRunning()).filter((work)=>!work.moved&&coxswainIsTarget(work,target)),left=until-Date.now();
if(found.length>0||left<=0)return found;
await new Promise((resolve)=>{globalThis.coxswainStarted=resolve;setTimeout(resolve,Math.min(left,250))})}}
${movesAgents ? tellOfTheMove(context) : ''}`,
  );
  context.addRequest(
    'agent_run_to_background',
    `const target=${message}.request.target_id??undefined,found=await coxswainFind(target,Math.min(${message}.request.wait_ms??0,60000));
for(const work of found){work.moved=true;work.move();${movesAgents ? 'coxswainTell(work)' : ''}}
${succeed}(${message},{backgrounded:found.length>0,agent_ids:found.flatMap((work)=>work.agentId??[])});`,
  );
}

/** Reports that an agent was moved, as newer CLIs do. */
function tellOfTheMove({ names: { output, sessionId } }: PatchContext): string {
  return `function coxswainTell(work){if(work.agentId===undefined||typeof coxswainWatch!=="function")return;
const call=coxswainCallOf(work);coxswainMoved.set(work.agentId,call?.id);if(coxswainMoved.size===1)coxswainWatch();
${output}.enqueue({type:"system",subtype:"task_started",task_id:work.agentId,...(call?{tool_use_id:call.id}:{}),description:call?.input?.description??"",task_type:"local_agent",is_backgrounded:true,session_id:${sessionId}(),uuid:crypto.randomUUID()})}
`;
}

function addStop(context: PatchContext): void {
  const { message, succeed, output, sessionId, getAppState } = context.names;
  context.addRequest(
    'stop_task',
    `const id=${message}.request.task_id,task=(await ${getAppState}()).tasks?.[id];
coxswainStopped.add(id);task?.abortController?.abort();const tool_use_id=coxswainMoved.get(id);coxswainMoved.delete(id);
${output}.enqueue({type:"system",subtype:"task_notification",task_id:id,...(tool_use_id?{tool_use_id}:{}),status:"stopped",output_file:"",summary:"The agent was stopped",session_id:${sessionId}(),uuid:crypto.randomUUID()});
${succeed}(${message},{});`,
    `coxswainMoved.has(${message}.request.task_id)`,
  );
}

/** The agents in the foreground, from the state of the CLI. */
function fromState({ names: { getAppState } }: PatchContext, move: string): string {
  return `const state=await ${getAppState}(),isWaitedFor=(task)=>task.type==="local_agent"&&task.status==="running"&&task.isBackgrounded===false;
return Object.entries(state.tasks??{}).filter(([,task])=>isWaitedFor(task)).map(([id,task])=>({agentId:id,prompt:task.prompt,move:()=>${move}}))`;
}
