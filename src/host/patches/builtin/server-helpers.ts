import { type AstNode, findAll, types } from '../ast.js';
import type { PatchContext } from '../patch.js';

/**
 * Functions that find a server and put another client and other tools in its place, in every list that a turn reads.
 * A tool tells its server only by its name, and belongs to the server with the longest name that it begins with.
 */
export function addServerHelpers({ names, addHelper }: PatchContext): void {
  const { configuredClients, configuredTools, ownClients, ownTools, dynamic, setAppState } = names;
  addHelper(
    'servers',
    `function coxswainClients(){return[...${configuredClients},...${ownClients},...${dynamic}.clients]}
function coxswainServer(name){return coxswainClients().find((client)=>client.name===name)}
function coxswainIsOwn(name){return ${ownClients}.some((client)=>client.name===name)}
function coxswainTools(){return[...${configuredTools},...${ownTools},...${dynamic}.tools]}
function coxswainBegin(name,tool){return["mcp__"+name+"__","mcp__"+name.replace(/[^a-zA-Z0-9_-]/g,"_")+"__"].find((prefix)=>typeof tool.name==="string"&&tool.name.startsWith(prefix))}
function coxswainPrefix(name,tool){
const prefix=coxswainBegin(name,tool),isOther=(client)=>client.name!==name&&(coxswainBegin(client.name,tool)?.length??0)>prefix.length;
return prefix===undefined||coxswainClients().some(isOther)?undefined:prefix}
function coxswainPut(name,client,tools){
const isMine=(tool)=>coxswainPrefix(name,tool)!==undefined,swap=(list)=>list.map((each)=>each.name===name?client:each),drop=(list)=>list.filter((tool)=>!isMine(tool));
const isConfigured=${configuredClients}.some((each)=>each.name===name),isOwn=coxswainIsOwn(name);
${configuredClients}=swap(${configuredClients});${ownClients}=swap(${ownClients});
${configuredTools}=drop(${configuredTools});${ownTools}=drop(${ownTools});
${dynamic}={...${dynamic},clients:swap(${dynamic}.clients),tools:drop(${dynamic}.tools)};
const known=new Set(coxswainTools().map((tool)=>tool.name)),fresh=tools.filter((tool)=>!known.has(tool.name));
if(isConfigured)${configuredTools}=[...${configuredTools},...fresh];else if(isOwn)${ownTools}=[...${ownTools},...fresh];else ${dynamic}={...${dynamic},tools:[...${dynamic}.tools,...fresh]};
${setAppState}((state)=>state.mcp?{...state,mcp:{...state.mcp,clients:swap(state.mcp.clients),tools:[...drop(state.mcp.tools),...fresh]}}:state);
return coxswainTools().filter(isMine).length}
function coxswainReport(name,client,count){const success=client.type==="connected";return{success,server_name:name,status:client.type,tools_count:count,error:success?null:client.error??"Connection failed"}}
`,
  );
}

/** Refuses a name that is no server's; leaves the server in `server` and its name in `name`. */
export function serverByName({ names: { message, fail } }: PatchContext): string {
  return `const name=${message}.request.server_name,server=coxswainServer(name);if(!server)return ${fail}(${message},"Server not found: "+name);`;
}

/** The condition for the spelling of these requests: natives of the same name say `serverName` only. */
export function namesServer({ names: { message } }: PatchContext): string {
  return `typeof ${message}.request.server_name==="string"`;
}

/** The CLI's own functions that reconnect a server and close it; both take its name and configuration. */
export interface Connections {
  /** Resolves to `{ client, tools }`. */
  readonly reconnect: string;
  readonly close: string;
}

const ANCHOR = 'Error during reconnection';

/** Finds them: the first one names itself in its error, and closes the server before it connects. */
export function findConnections(context: PatchContext): Connections {
  for (const { ast } of context.find(ANCHOR)) {
    const reconnect = ast.type === 'FunctionExpression' ? ast.id?.name : undefined;
    const close = firstAwaited(ast);
    if (reconnect !== undefined && close !== undefined) return { reconnect, close };
  }
  return context.missing(`the function around "${ANCHOR}"`);
}

/** The first awaited call, if it passes on both parameters. */
function firstAwaited(ast: AstNode): string | undefined {
  const [first] = findAll(ast, (node): node is AstNode & { type: 'AwaitExpression' } => {
    return node.type === 'AwaitExpression';
  });
  return first === undefined ? undefined : types.calledName(first.argument, 2);
}
