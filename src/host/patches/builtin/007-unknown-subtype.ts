import type { Patch } from '../patch.js';

/** Answers requests that the CLI does not know; unpatched, old CLIs never answer them. */
export const unknownSubtype: Patch = {
  id: '007-unknown-subtype',
  description: 'Answers control requests that the CLI does not know with an error.',
  priority: 70,
  apply: (_ast, _types, _traverse, { names, slice }) => {
    const { message, fail, lastLink } = names;
    if (lastLink.alternate) return { success: true, details: ['this CLI already answers them'] };
    slice.after(
      lastLink,
      ` else ${fail}(${message},"Unsupported control request subtype: "+${message}.request.subtype);`,
    );
    return { success: true, details: ['unknown requests are answered with an error'] };
  },
};
