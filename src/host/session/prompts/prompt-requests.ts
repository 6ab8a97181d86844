/** The CLI's requests that become prompts, by subtype. */
export const PROMPT_REQUESTS: ReadonlySet<string> = new Set([
  'can_use_tool',
  'elicitation',
  'request_user_dialog',
]);
