import { type AstNode, findAll, traverse, types } from '../ast.js';
import type { Patch, PatchContext } from '../patch.js';
import type { Slice } from '../slices.js';
import { tellOfTheEnd } from './agent-endings.js';
import { addCommandReports } from './moved-commands.js';

const ANCHOR = 'onBackground:';
const MOVES_AGENTS = 'agents can be moved';
const MOVES_COMMANDS = 'commands can be moved';

/**
 * Serves `agent_run_to_background`: moves running agents and commands as ctrl+b does in the terminal. Reports them as
 * newer CLIs do: when they were moved, when they ended, and with a turn that tells the model about it if the CLI can.
 */
export const runInBackground: Patch = {
  id: '001-run-in-background',
  version: 4,
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
    // The oldest CLIs can move only commands, and queue nothing when one ends.
    const movesAgents = mover !== undefined || wrapped.includes(MOVES_AGENTS);
    const readsNotices = movesAgents && tellOfTheEnd(ast, context);
    addReports(context, readsNotices);
    addCommandReports(context);
    addMove(context, mover);
    addStop(context);
    const details = movesAgents ? wrapped : [`only ${MOVES_COMMANDS}`];
    return {
      success: true,
      details: mover === undefined ? details : [...details, `${MOVES_AGENTS} by ${mover.split('(')[0]}`],
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
  return agent === undefined ? MOVES_COMMANDS : MOVES_AGENTS;
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

function addMove(context: PatchContext, mover: string | undefined): void {
  const { message, succeed, messages, getAppState } = context.names;
  context.addHelper(
    'running',
    `const coxswainTaken=new Set();
${callPairing(messages)}
function coxswainIsTarget(work,target){return target===undefined||work.agentId===target||work.call?.id===target}
async function coxswainRunning(){${mover === undefined ? 'return[...(globalThis.coxswainRunning??[])]' : fromState(context, mover)}}
async function coxswainFind(target,waitMs){const until=Date.now()+waitMs;for(;;){
const found=coxswainPaired((await coxswainRunning()).filter((work)=>!work.moved)).filter((work)=>coxswainIsTarget(work,target)),left=until-Date.now();
for(const work of found)work.moved=true;
if(found.length>0||left<=0)return found;
await new Promise((resolve)=>{globalThis.coxswainStarted=resolve;setTimeout(resolve,Math.min(left,250))})}}
`,
  );
  context.addRequest(
    'agent_run_to_background',
    `const target=${message}.request.target_id??undefined,found=await coxswainFind(target,Math.min(${message}.request.wait_ms??0,60000)),earlier=coxswainShellsIn(await ${getAppState}());
for(const work of found){if(work.call)coxswainTaken.add(work.call.id);work.move();if(work.agentId!==undefined)coxswainTellOfAgent(work)}
await coxswainTellOfCommands(found.filter((work)=>work.agentId===undefined),earlier);
${succeed}(${message},{backgrounded:found.length>0,agent_ids:found.flatMap((work)=>work.agentId??[])});`,
  );
}

/**
 * Gives each running work the call that started it. Some CLIs say which; otherwise work with equal input is paired in order
 * with the calls that have no result yet and were not moved, so that two alike are distinguished.
 */
function callPairing(messages: string): string {
  return `function coxswainBlocks(role,type){return ${messages}.flatMap((each)=>each.type===role&&Array.isArray(each.message.content)?each.message.content.filter((block)=>block.type===type):[])}
function coxswainOwnCall(work){return work.message?.message.content.find((block)=>block.type==="tool_use")}
function coxswainFits(work,{id,input}){if(work.callId!==undefined)return id===work.callId;
return work.input===undefined?work.prompt!==undefined&&input.prompt===work.prompt:input.command===work.input.command}
function coxswainPaired(works){const done=new Set(coxswainBlocks("user","tool_result").map((block)=>block.tool_use_id));
const open=coxswainBlocks("assistant","tool_use").filter((block)=>!done.has(block.id)&&!coxswainTaken.has(block.id));
for(const work of works){work.call=coxswainOwnCall(work);if(work.call)continue;
const at=open.findIndex((block)=>coxswainFits(work,block));if(at!==-1)[work.call]=open.splice(at,1)}
return works}`;
}

/** Reports what was moved and what has ended, as newer CLIs do. CLIs that tell the model themselves report their agents. */
function addReports({ names, addHelper }: PatchContext, readsNotices: boolean): void {
  const { output, sessionId, getAppState } = names;
  addHelper(
    'reports',
    `const coxswainMoved=new Map(),coxswainShells=new Map(),coxswainStopped=new Set();let coxswainTimer;
function coxswainSendTask(subtype,id,{call,...fields}){${output}.enqueue({type:"system",subtype,task_id:id,...(call?{tool_use_id:call}:{}),...fields,session_id:${sessionId}(),uuid:crypto.randomUUID()})}
function coxswainTellOfMove(id,{call},task_type){coxswainSendTask("task_started",id,{call:call?.id,description:call?.input?.description??"",task_type,is_backgrounded:true});coxswainWatch()}
function coxswainTellOfAgent(work){${readsNotices ? 'coxswainMoved.set(work.agentId,work.call?.id);coxswainTellOfMove(work.agentId,work,"local_agent")' : ''}}
function coxswainWatch(){coxswainTimer??=setInterval(async()=>{const state=await ${getAppState}();coxswainTellOfShells(state);${readsNotices ? 'coxswainReadNotices(state);' : ''}
if(coxswainMoved.size+coxswainShells.size===0){clearInterval(coxswainTimer);coxswainTimer=undefined}},250);coxswainTimer.unref?.()}
`,
  );
}

function addStop(context: PatchContext): void {
  const { message, succeed, getAppState } = context.names;
  const id = `${message}.request.task_id`;
  context.addRequest(
    'stop_task',
    `const id=${id},state=await ${getAppState}();coxswainStopped.add(id);
if(coxswainShells.has(id))coxswainShellsIn(state).find((shell)=>shell.id===id)?.shellCommand?.kill();
else{state.tasks?.[id]?.abortController?.abort();const call=coxswainMoved.get(id);coxswainMoved.delete(id);
coxswainSendTask("task_notification",id,{call,status:"stopped",output_file:"",summary:"The agent was stopped"})}
${succeed}(${message},{});`,
    `(coxswainMoved.has(${id})||coxswainShells.has(${id}))`,
  );
}

/** The agents in the foreground, from the state of the CLI. */
function fromState({ names: { getAppState } }: PatchContext, move: string): string {
  return `const state=await ${getAppState}(),isWaitedFor=(task)=>task.type==="local_agent"&&task.status==="running"&&task.isBackgrounded===false;
return Object.entries(state.tasks??{}).filter(([,task])=>isWaitedFor(task)).map(([id,task])=>({agentId:id,prompt:task.prompt,callId:task.toolUseId,move:()=>${move}}))`;
}
