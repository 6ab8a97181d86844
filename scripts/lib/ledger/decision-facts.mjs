// The facts of the ledger that sessions decide by; a star stands for any end.
export const decisionFacts = [
  'cli-request:request_user_dialog',
  'elicitation:form',
  'envelope:unknown-subtype',
  'flag:*',
  'handshake:again',
  'handshake:again-lists-prompts',
  'handshake:agents',
  'handshake:append-system-prompt',
  'handshake:before-process-servers',
  'handshake:json-schema',
  'handshake:system-prompt',
  'handshake:system-prompt-list',
  'hook-event:*',
  'interrupt:cancel-queued',
  'line:cancel',
  'mcp-reconnect:command-line',
  'mcp-set:in-process',
  'mcp-set:keeps-in-process',
  'mcp-set:resources',
  'mcp-status:tools',
  'mode:unknown',
  'permission:without-input',
  'question:asked',
  'request:*',
  'rewind:dry-run',
  'turn:lifecycle',
];

/** Facts that no probe finds out; they were seen by hand. */
export const factsByHand = {
  'by-hand:takes-over-servers': '2.0.0 fail, 2.1.200 pass after 2.1.140',
  'by-hand:switches-servers': '2.0.0 fail, 2.1.260 pass after 2.1.200',
};
