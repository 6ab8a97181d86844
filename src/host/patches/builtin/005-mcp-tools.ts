import type { Patch } from '../patch.js';
import { addServerHelpers } from './server-helpers.js';

/** Serves `mcp_tools { server_name? }` from the tools that the next turn would offer. */
export const mcpTools: Patch = {
  id: '005-mcp-tools',
  version: 2,
  description: 'Lists the tools of one MCP server or of all: mcp_tools { server_name? }.',
  priority: 50,
  serves: ['mcp_tools'],
  apply: (_ast, _types, _traverse, context) => {
    const { message, succeed, fail } = context.names;
    addServerHelpers(context);
    context.addRequest(
      'mcp_tools',
      `const wanted=${message}.request.server_name??null;
if(wanted!==null&&!await coxswainServer(wanted))return ${fail}(${message},"Server not found: "+wanted);
const tools=[],clients=await coxswainClients(),all=await coxswainTools();
for(const{name:server}of clients){
if(wanted!==null&&server!==wanted)continue;
for(const tool of all){
const prefix=coxswainPrefix(server,tool,clients);if(prefix===undefined)continue;
const description=await tool.description?.({},{}),readOnly=tool.isReadOnly?.({})===true,destructive=tool.isDestructive?.({})===true,openWorld=tool.isOpenWorld?.({})===true;
tools.push({name:tool.name.slice(prefix.length),server_name:server,...(description?{description}:{}),...(tool.inputJSONSchema?{inputSchema:tool.inputJSONSchema}:{}),
...(readOnly||destructive||openWorld?{annotations:{...(readOnly?{readOnly}:{}),...(destructive?{destructive}:{}),...(openWorld?{openWorld}:{})}}:{})})}}
${succeed}(${message},{server_name:wanted,tools,count:tools.length});`,
    );
    return { success: true, details: ['lists what the next turn would offer'] };
  },
};
