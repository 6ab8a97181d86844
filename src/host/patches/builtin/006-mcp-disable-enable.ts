import type { Patch } from '../patch.js';
import { addServerHelpers, findConnections, serverByName } from './server-helpers.js';

/** Serves `mcp_disable` and `mcp_enable`; both count for the session only, nothing is written to settings. */
export const mcpDisableEnable: Patch = {
  id: '006-mcp-disable-enable',
  description: 'Switches an MCP server off and on for the session: mcp_disable, mcp_enable { server_name }.',
  priority: 60,
  serves: ['mcp_disable', 'mcp_enable'],
  apply: (_ast, _types, _traverse, context) => {
    const { message, succeed } = context.names;
    const { reconnect, close } = findConnections(context);
    addServerHelpers(context);
    // The connection of an in-process server belongs to the host: it is kept for later, not closed.
    context.addHelper('aside', 'const coxswainAside=new Map();');
    context.addRequest(
      'mcp_disable',
      `${serverByName(context)}
if(server.type!=="disabled"){
if(coxswainIsOwn(name))coxswainAside.set(name,{client:server,tools:coxswainTools().filter((tool)=>coxswainPrefix(name,tool)!==undefined)});
else await ${close}(name,server.config);
coxswainPut(name,{name,type:"disabled",config:server.config},[])}
${succeed}(${message},{success:true,server_name:name,status:"disabled",tools_count:0,error:null});`,
    );
    context.addRequest(
      'mcp_enable',
      `${serverByName(context)}
const count=()=>coxswainTools().filter((tool)=>coxswainPrefix(name,tool)!==undefined).length;
if(server.type!=="disabled")return ${succeed}(${message},coxswainReport(name,server,count()));
const made=coxswainAside.get(name)??await ${reconnect}(name,server.config);coxswainAside.delete(name);
${succeed}(${message},coxswainReport(name,made.client,coxswainPut(name,made.client,made.tools)));`,
    );
    return { success: true, details: [`connects by ${reconnect}, closes by ${close}`] };
  },
};
