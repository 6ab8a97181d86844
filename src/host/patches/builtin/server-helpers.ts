import { type AstNode, findAll, types } from '../ast.js';
import { NO_DYNAMIC } from '../names.js';
import type { PatchContext } from '../patch.js';

/**
 * Functions that find a server and replace its client and tools, in every list that a turn reads: older
 * CLIs have separate lists, newer ones keep them in the state. A tool identifies its server only by its name prefix, so it
 * belongs to the server with the longest matching name.
 */
export function addServerHelpers({ names, addHelper }: PatchContext): void {
  const { configuredClients, configuredTools, ownClients, ownTools, dynamic } = names;
  const { getAppState, setAppState } = names;
  const none = dynamic === NO_DYNAMIC ? `let ${NO_DYNAMIC}={clients:[],tools:[]};` : '';
  addHelper(
    'servers',
    `${none}const coxswainTails=new Map();
function coxswainInTurn(name,change){const own=(coxswainTails.get(name)??Promise.resolve()).then(change);const tail=own.catch(()=>{}).then(()=>{if(coxswainTails.get(name)===tail)coxswainTails.delete(name)});coxswainTails.set(name,tail);return own}
function coxswainOnce(list){const seen=new Set();return list.filter(({name})=>!seen.has(name)&&seen.add(name))}
async function coxswainClients(){const state=await ${getAppState}();return coxswainOnce([...${ownClients},...${dynamic}.clients,...state?.mcp?.clients??[],...${configuredClients}])}
async function coxswainServer(name){return(await coxswainClients()).find((client)=>client.name===name)}
function coxswainIsOwn(name){return ${ownClients}.some((client)=>client.name===name)}
async function coxswainTools(){const state=await ${getAppState}();return coxswainOnce([...${ownTools},...${dynamic}.tools,...state?.mcp?.tools??[],...${configuredTools}])}
function coxswainBegin(name,tool){return["mcp__"+name+"__","mcp__"+name.replace(/[^a-zA-Z0-9_-]/g,"_")+"__"].find((prefix)=>typeof tool.name==="string"&&tool.name.startsWith(prefix))}
function coxswainPrefix(name,tool,clients){
const prefix=coxswainBegin(name,tool),isOther=(client)=>client.name!==name&&(coxswainBegin(client.name,tool)?.length??0)>prefix.length;
return prefix===undefined||clients.some(isOther)?undefined:prefix}
async function coxswainToolsOf(name){const clients=await coxswainClients();return(await coxswainTools()).filter((tool)=>coxswainPrefix(name,tool,clients)!==undefined)}
async function coxswainPut(name,client,tools){
const clients=await coxswainClients(),isMine=(tool)=>coxswainPrefix(name,tool,clients)!==undefined;
const swap=(list)=>client===null?list.filter((each)=>each.name!==name):list.map((each)=>each.name===name?client:each),drop=(list)=>list.filter((tool)=>!isMine(tool));
const isOwn=coxswainIsOwn(name),isSet=${dynamic}.clients.some((each)=>each.name===name);
${configuredClients}=swap(${configuredClients});${ownClients}=swap(${ownClients});
${configuredTools}=drop(${configuredTools});${ownTools}=drop(${ownTools});
${dynamic}={...${dynamic},clients:swap(${dynamic}.clients),tools:drop(${dynamic}.tools)};
const known=new Set([...${configuredTools},...${ownTools},...${dynamic}.tools].map((tool)=>tool.name)),fresh=tools.filter((tool)=>!known.has(tool.name));
if(isOwn)${ownTools}=[...${ownTools},...fresh];else if(isSet)${dynamic}={...${dynamic},tools:[...${dynamic}.tools,...fresh]};else ${configuredTools}=[...${configuredTools},...fresh];
${setAppState}((state)=>state.mcp?{...state,mcp:{...state.mcp,clients:swap(state.mcp.clients),tools:[...drop(state.mcp.tools),...fresh]}}:state);
return(await coxswainToolsOf(name)).length}
function coxswainReport(name,client,count){const success=client.type==="connected";return{success,server_name:name,status:client.type,tools_count:count,error:success?null:client.error??"Connection failed"}}
`,
  );
}

/**
 * Runs code about the server that a request names, after earlier changes to it: two connections at once would
 * leak one. The code gets the server as `server` and its name as `name`.
 */
export function aboutServer({ names: { message, fail } }: PatchContext, code: string): string {
  return `const name=${message}.request.server_name;await coxswainInTurn(name,async()=>{const server=await coxswainServer(name);if(!server)return ${fail}(${message},"Server not found: "+name);
${code}});`;
}

/** The condition for the spelling of these requests: native ones with the same name use only `serverName`. */
export function namesServer({ names: { message } }: PatchContext): string {
  return `typeof ${message}.request.server_name==="string"`;
}

/** The CLI's own functions that connect and close a server; all take its name and configuration. */
export interface Connections {
  /** Closes it first, which also makes the CLI forget a failure; resolves to `{ client, tools }`. */
  readonly reconnect: string;
  /** The same for a disabled server, which is closed already: closing it again would start it. */
  readonly connect: string;
  readonly close: string;
}

const ANCHOR = 'Error during reconnection';
const CONNECT = 'coxswainConnect';

/** Finds them: the first one has its own name in its error, and closes the server before it connects. */
export function findConnections(context: PatchContext): Connections {
  for (const slice of context.find(ANCHOR)) {
    const { ast } = slice;
    const reconnect = ast.type === 'FunctionExpression' ? ast.id : undefined;
    const closing = firstAwaited(ast);
    const close = closing === undefined ? undefined : types.calledName(closing.argument, 2);
    if (!reconnect || closing === undefined || close === undefined) continue;
    const text = slice.text(ast);
    const from = (node: AstNode) => node.start - ast.start;
    const to = (node: AstNode) => node.end - ast.start;
    const copy = `${text.slice(0, from(reconnect))}${CONNECT}${text.slice(to(reconnect), from(closing))}void 0${text.slice(to(closing))}`;
    context.addBehind(CONNECT, slice, copy);
    return { reconnect: reconnect.name, connect: CONNECT, close };
  }
  return context.missing(`the function around "${ANCHOR}"`);
}

/** The first awaited call. */
function firstAwaited(ast: AstNode): (AstNode & { type: 'AwaitExpression' }) | undefined {
  return findAll(ast, (node): node is AstNode & { type: 'AwaitExpression' } => {
    return node.type === 'AwaitExpression';
  })[0];
}
