import { parseShare } from '../parse.js';

/** `--hold-above`: new messages wait while a usage window is nearly full. */
export const HOLD_OPTION = [
  '--hold-above <share>',
  'let new messages wait while a usage window is used to this share or more, such as 0.9',
  parseShare,
] as const;
