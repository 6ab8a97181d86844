import { PATCHES_KEY } from '../../wire/protocol/patches-key.js';
import type { Patch } from './patch.js';

/** Makes a CLI list its patches in its answer to `initialize`, because the host may not have started it. */
export function announcement(patches: readonly Patch[]): Patch {
  const told = patches.map(({ id, version = 1, serves = [] }) => ({ id, version, serves }));
  return {
    id: 'announcement',
    description: 'Names the patches in the answer to initialize.',
    apply: (_ast, _types, _traverse, { names, slice }) => {
      const { message, output, firstLink } = names;
      slice.intoBody(
        `const coxswainAsked=new Set();function coxswainHello(message){if(message.request.subtype!=="initialize")return false;
coxswainAsked.add(message.request_id);if(coxswainAsked.size>1)return false;
const enqueue=${output}.enqueue.bind(${output});
${output}.enqueue=(line)=>enqueue(line?.type==="control_response"&&line.response?.subtype==="success"&&coxswainAsked.has(line.response.request_id)?{...line,response:{...line.response,response:{...line.response.response,${PATCHES_KEY}:${JSON.stringify(told)}}}}:line);return false}
`,
      );
      slice.before(firstLink, `if(coxswainHello(${message})){}else `);
      return { success: true, details: [] };
    },
  };
}
