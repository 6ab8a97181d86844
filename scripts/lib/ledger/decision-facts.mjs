// The facts of the ledger that sessions decide by; a star stands for any end.
export const decisionFacts = [
  'envelope:unknown-subtype',
  'flag:*',
  'handshake:again',
  'interrupt:receipt',
  'line:cancel',
  'request:*',
  'turn:lifecycle',
  'turn:one-result-each',
];
