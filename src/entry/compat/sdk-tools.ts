import type { AnyArtifactInput, AnyArtifactOutput } from './types/tools/artifact-tools.js';
import type { AnyFileInput, AnyFileOutput } from './types/tools/file-tools.js';
import type { AnyOutsideInput, AnyOutsideOutput } from './types/tools/mcp-tools.js';
import type { AnyTalkInput, AnyTalkOutput } from './types/tools/talk-tools.js';
import type { AnyWorkInput, AnyWorkOutput } from './types/tools/work-tools.js';

export type * from './types/tools/artifact-tools.js';
export type * from './types/tools/file-tools.js';
export type * from './types/tools/mcp-tools.js';
export type * from './types/tools/talk-tools.js';
export type * from './types/tools/work-tools.js';

/** The input or output of any built-in tool, as the original counts them. */
export type ToolInputSchemas =
  | AnyArtifactInput
  | AnyFileInput
  | AnyOutsideInput
  | AnyTalkInput
  | AnyWorkInput
  | ToolOutputSchemas;

/** The output of any built-in tool. */
export type ToolOutputSchemas =
  | AnyArtifactOutput
  | AnyFileOutput
  | AnyOutsideOutput
  | AnyTalkOutput
  | AnyWorkOutput;
