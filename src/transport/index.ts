export type { End, OnLines, Transport } from './transport.js';
