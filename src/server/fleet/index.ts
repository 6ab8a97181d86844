export type { EngineOptions } from './engine/engine-options.js';
export { type GatewayOptions, startGateway } from './gateway/start-gateway.js';
export type { Place } from './record.js';
export { startWorker, type Worker } from './worker/start-worker.js';
export type { WorkerFacts, WorkerOptions } from './worker/worker-options.js';
