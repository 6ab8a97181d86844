export type { MemoryPairOptions } from './memory.js';
export { memoryPair } from './memory.js';
export type { StreamTransportOptions } from './streams.js';
export { streamTransport } from './streams.js';
export type { End, OnLines, Transport } from './transport.js';
