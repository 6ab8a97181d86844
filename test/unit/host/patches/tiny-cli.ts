/**
 * Our own program with the shape that the built-in patches look for, with other names than any CLI.
 * It has only what the anchors need.
 */
export const tinyCli = `
async function connectAnew(n,c){try{await shut(n,c);let k=await open(n,c);return{client:k,tools:[],commands:[]}}catch(e){return log(n,\`Error during reconnection: \${e}\`),{client:{name:n,type:"failed"},tools:[],commands:[]}}}
async function page(done){let have=await lookForIt(),conf=readConf();return show(Page,{onDone:done,isExtensionInstalled:have,configEnabled:conf.claudeInChromeDefaultEnabled})}
var agentTool={name:"Agent",async call({prompt:p},ctx,may,said,tell){let id=make();return within(async()=>{let go,gone=new Promise((r)=>{go=r}),move=()=>{go()},timer=setInterval(()=>{ctx.setToolJSX({jsx:el(Hint,{onBackground:move})})},100);try{while(!0){let step=await Promise.race([next({agentId:id}),gone]);if(step.done)break}}finally{clearInterval(timer)}return{data:1}})},isReadOnly(){return!0}};
async function*shell({input:inp,setToolJSX:jsx}){function moveIt(){bg()}let at=Date.now();while(!0){let r=await wait(at);if(r)return r;if(jsx)jsx({jsx:el(Hint,{onBackground:moveIt})});yield{type:"progress"}}}
function dispatch(io,conf,cmds,confTools,start,may,sdk,getState,setState,agents,opts){
let ctl,out=new Queue(),history=start,own=[],ownTools=[];let dyn={clients:[],tools:[],configs:{}};
let run=async()=>{let list=[...conf,...own,...dyn.clients],tools=[...confTools,...ownTools,...dyn.tools],cmd;
while(cmd=await take(getState,setState)){if(cmd.mode!=="prompt"&&cmd.mode!=="other")throw Error("only prompt commands are supported in streaming mode");let words=cmd.value;ctl=fresh();for await(let m of turn({prompt:words,promptUuid:cmd.uuid,tools,mcpClients:list,mutableMessages:history,getAppState:getState,setAppState:setState}))out.enqueue({...m,session_id:sid()})}},
ok=function(m,v){out.enqueue({type:"control_response",response:{subtype:"success",request_id:m.request_id,response:v}})},
bad=function(m,v){out.enqueue({type:"control_response",response:{subtype:"error",request_id:m.request_id,error:v}})};
return io.onOddAnswer({onEnqueued:()=>{run()}}),(async()=>{for await(let msg of io.structuredInput){if(msg.type==="control_request"){
if(msg.request.subtype==="interrupt"){if(ctl)ctl.abort();ok(msg)}
else if(msg.request.subtype==="set_permission_mode"){setState((s)=>({...s,mode:msg.request.mode})),ok(msg)}
else if(msg.request.subtype==="mcp_status"){ok(msg,{mcpServers:[...conf,...own,...dyn.clients].map((c)=>c.name)})}
else if(msg.request.subtype==="rewind_files"){let s=await getState(),e=await back(msg.request.user_message_id,s);if(!e)ok(msg,s);else bad(msg,e)}
continue}
setState((s)=>({...s,queuedCommands:[...s.queuedCommands,{mode:"prompt",value:msg.message.content,uuid:msg.uuid}]})),run()}})(),out}
`;
