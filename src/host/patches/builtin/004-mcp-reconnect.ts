import type { Patch } from '../patch.js';
import { aboutServer, addServerHelpers, findConnections, namesServer } from './server-helpers.js';

/** Serves `mcp_reconnect { server_name }`; the next turn sees the new connection. */
export const mcpReconnect: Patch = {
  id: '004-mcp-reconnect',
  version: 3,
  description: 'Drops the connection to an MCP server and connects again: mcp_reconnect { server_name }.',
  priority: 40,
  serves: ['mcp_reconnect'],
  apply: (_ast, _types, _traverse, context) => {
    const { message, succeed, fail } = context.names;
    const { reconnect, connect } = findConnections(context);
    addServerHelpers(context);
    context.addRequest(
      'mcp_reconnect',
      aboutServer(
        context,
        `if(coxswainIsOwn(name))return ${fail}(${message},"In-process servers live in the host: "+name+" cannot be reconnected from here");
const made=await(server.type==="disabled"?${connect}:${reconnect})(name,server.config);
${succeed}(${message},coxswainReport(name,made.client,await coxswainPut(name,made.client,made.tools)))`,
      ),
      namesServer(context),
    );
    return { success: true, details: [`reconnects by ${reconnect}`] };
  },
};
