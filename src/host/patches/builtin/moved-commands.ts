import type { PatchContext } from '../patch.js';

/**
 * Reports commands that were moved. CLIs keep background shells in their state, under two names, and give one its id only
 * when it is moved. The oldest tell nobody when it ends; others queue a notice for the model.
 */
export function addCommandReports({ names: { getAppState }, addHelper }: PatchContext): void {
  addHelper(
    'commands',
    `function coxswainShellsIn(state){return Object.values(state.tasks??state.backgroundTasks??{}).filter((task)=>task.type==="local_bash"||task.type==="shell")}
async function coxswainTellOfCommands(works,earlier){const until=Date.now()+5000,known=new Set(earlier.map((shell)=>shell.id));
for(let left=works;;await new Promise((resolve)=>setTimeout(resolve,10))){const moved=coxswainShellsIn(await ${getAppState}()).filter((shell)=>!known.has(shell.id));
left=left.filter((work)=>!coxswainTellOfCommand(work,moved));
if(left.length===0||Date.now()>until)return}}
function coxswainTellOfCommand(work,shells){const{command}=work.input??work.call?.input??{},shell=shells.find((each)=>each.command===command&&!coxswainShells.has(each.id));
if(shell){coxswainShells.set(shell.id,work.call?.id);coxswainTellOfMove(shell.id,work,"local_bash")}
return shell!==undefined}
function coxswainTellOfShells(state){for(const id of[...coxswainShells.keys()]){const shell=coxswainShellsIn(state).find((each)=>each.id===id);
if(shell===undefined||shell.status!=="running"&&shell.notified!==false)coxswainTellOfShell(id,shell)}}
function coxswainTellOfShell(id,shell){if(!coxswainShells.has(id))return;
const call=coxswainShells.get(id),isStopped=coxswainStopped.delete(id)||shell?.status==="killed",status=isStopped?"stopped":shell?.status==="failed"?"failed":"completed";
coxswainShells.delete(id);coxswainSendTask("task_notification",id,{call,status,output_file:shell?.outputFile??"",summary:"The command "+(isStopped?"was stopped":status==="failed"?"failed":"is complete")})}
`,
  );
}
