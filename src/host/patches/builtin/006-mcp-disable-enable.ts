import type { Patch } from '../patch.js';
import { aboutServer, addServerHelpers, findConnections } from './server-helpers.js';

/**
 * Serves `mcp_disable` and `mcp_enable`; both apply to this session only, and nothing is written to settings. With
 * `remove` a server is removed for good.
 */
export const mcpDisableEnable: Patch = {
  id: '006-mcp-disable-enable',
  version: 3,
  description:
    'Disables, enables or removes an MCP server for the session: mcp_disable { server_name, remove? }, mcp_enable { server_name }.',
  priority: 60,
  serves: ['mcp_disable', 'mcp_enable'],
  apply: (_ast, _types, _traverse, context) => {
    const { message, succeed } = context.names;
    const { connect, close } = findConnections(context);
    addServerHelpers(context);
    // The connection of an in-process server belongs to the host: it is kept for later, not closed. A server that failed
    // is closed too, because the CLI would remember its failure.
    context.addHelper(
      'aside',
      `const coxswainAside=new Map();async function coxswainClose(name,server){if(server.type!=="disabled"&&!coxswainIsOwn(name))await ${close}(name,server.config)}`,
    );
    context.addRequest(
      'mcp_disable',
      aboutServer(
        context,
        `if(${message}.request.remove===true){await coxswainClose(name,server);coxswainAside.delete(name);await coxswainPut(name,null,[])}
else if(server.type!=="disabled"){
if(coxswainIsOwn(name))coxswainAside.set(name,{client:server,tools:await coxswainToolsOf(name)});
await coxswainClose(name,server);
await coxswainPut(name,{name,type:"disabled",config:server.config},[])}
${succeed}(${message},{success:true,server_name:name,status:"disabled",tools_count:0,error:null})`,
      ),
    );
    context.addRequest(
      'mcp_enable',
      aboutServer(
        context,
        `if(server.type!=="disabled")return ${succeed}(${message},coxswainReport(name,server,(await coxswainToolsOf(name)).length));
const made=coxswainAside.get(name)??await ${connect}(name,server.config);coxswainAside.delete(name);
${succeed}(${message},coxswainReport(name,made.client,await coxswainPut(name,made.client,made.tools)))`,
      ),
    );
    return { success: true, details: [`connects by ${connect}, closes by ${close}`] };
  },
};
