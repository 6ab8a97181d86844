export type {
  SessionKey,
  SessionStore,
  StoredSummary,
  TranscriptEntry,
} from '../../host/transcripts/store.js';
export type { Retention } from '../manager/manager-options.js';
export type { EngineOptions } from './engine/engine-options.js';
export { type GatewayOptions, startGateway } from './gateway/start-gateway.js';
export type { Place } from './record.js';
export { startWorker, type Worker } from './worker/start-worker.js';
export type { WorkerFacts, WorkerOptions } from './worker/worker-options.js';
export type { GitWorkspaces } from './workspaces/git-checkpoints.js';
export type { Workspaces } from './workspaces/workspace-policy.js';
