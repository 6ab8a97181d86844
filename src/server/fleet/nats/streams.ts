import type { StreamConfig } from '@nats-io/jetstream';
import type { EngineOptions } from '../engine/engine-options.js';
import { objectsOf } from './objects.js';
import type { NatsParts } from './open-engine.js';

const DAY_MS = 24 * 60 * 60_000;
/** How long the engine remembers message ids to reject duplicates. */
const DEDUPE_MS = 2 * 60_000;
/** How long the marker of an expired key stays. */
const MARK_MS = 60_000;

type Made = Pick<NatsParts, 'workers' | 'sessions' | 'blobs' | 'transcripts'>;

/** Creates a fleet's streams and buckets in the engine, if they do not exist. */
export async function makeStreams(
  engine: Pick<NatsParts, 'clients' | 'connection' | 'js' | 'jsm' | 'names'>,
  options: EngineOptions,
): Promise<Made> {
  const { clients, js, jsm, names } = engine;
  const replicas = options.replicas ?? (isClustered(engine) ? 3 : 1);
  const maxAgeMs = options.maxAgeMs ?? 30 * DAY_MS;
  for (const shard of names.shards) await makeLog(engine, shard, { replicas, maxAgeMs });
  const buckets = new clients.kv.Kvm(js);
  const objects = new clients.obj.Objm(js);
  const workers = await buckets.create(names.workers, { replicas, markerTTL: MARK_MS, history: 1 });
  await allowExpiry(engine, `KV_${names.workers}`, { subject_delete_marker_ttl: nanos(MARK_MS) });
  const sessions = await buckets.create(names.sessions, { replicas, history: 1 });
  await allowExpiry(engine, `KV_${names.sessions}`);
  const bucket = async (name: string, age: { readonly ttl?: number }) =>
    objectsOf(await objects.create(name, { replicas, ...age }), jsm, name);
  return {
    workers,
    sessions,
    blobs: await bucket(names.blobs, { ttl: nanos(maxAgeMs) }),
    // No age limit: the first part of a long conversation is as old as the conversation.
    transcripts: await bucket(names.transcripts, {}),
  };
}

/** With fewer copies, one server's disk can take conversations with it. */
const SAFE_REPLICAS = 3;

/** Says which streams have fewer copies than is safe, or than `options` accepts; undefined if none has, or NATS does not say. */
export async function fewReplicas(
  { jsm, names }: Pick<NatsParts, 'jsm' | 'names'>,
  { replicas = SAFE_REPLICAS }: Pick<EngineOptions, 'replicas'>,
): Promise<string | undefined> {
  const streams = [
    ...names.shards.map((shard) => names.stream(shard)),
    ...[names.workers, names.sessions].map((name) => `KV_${name}`),
    ...[names.blobs, names.transcripts].map((name) => `OBJ_${name}`),
  ];
  // Only a warning depends on it: a worker starts without an answer.
  const found = await Promise.all(streams.map((name) => jsm.streams.info(name))).catch(() => []);
  const few = found.filter(({ config }) => config.num_replicas < Math.min(replicas, SAFE_REPLICAS));
  const listed = few.map(({ config }) => `${config.name}: ${config.num_replicas}`).join(', ');
  return few.length === 0
    ? undefined
    : `Streams of this fleet have fewer than ${SAFE_REPLICAS} copies in NATS (${listed}): the loss of one server can lose conversations. Run three NATS servers, or accept it with --replicas.`;
}

function isClustered({ connection }: Pick<NatsParts, 'connection'>): boolean {
  return connection.info?.cluster !== undefined;
}

async function makeLog(
  { clients, jsm, names }: Pick<NatsParts, 'clients' | 'jsm' | 'names'>,
  shard: number,
  { replicas, maxAgeMs }: { readonly replicas: number; readonly maxAgeMs: number },
): Promise<void> {
  const { StorageType, DiscardPolicy, RetentionPolicy, JetStreamApiError } = clients.jetstream;
  const config: Partial<StreamConfig> & { name: string } = {
    name: names.stream(shard),
    subjects: [names.subjectsOf(shard)],
    retention: RetentionPolicy.Limits,
    storage: StorageType.File,
    discard: DiscardPolicy.Old,
    num_replicas: replicas,
    max_age: nanos(maxAgeMs),
    duplicate_window: nanos(Math.min(DEDUPE_MS, maxAgeMs)),
    // Who owns a conversation must stay known for as long as it is owned.
    allow_msg_ttl: true,
    allow_direct: true,
  };
  try {
    await allowExpiry({ jsm }, config.name);
  } catch (error) {
    if (!(error instanceof JetStreamApiError) || error.status !== 404) throw error;
    await jsm.streams.add(config);
  }
}

/** A stream created by an older server lacks settings that the server did not know. */
async function allowExpiry(
  { jsm }: Pick<NatsParts, 'jsm'>,
  stream: string,
  besides: Partial<StreamConfig> = {},
): Promise<void> {
  const { config } = await jsm.streams.info(stream);
  if (config.allow_msg_ttl !== true)
    await jsm.streams.update(stream, { ...config, ...besides, allow_msg_ttl: true });
}

function nanos(ms: number): number {
  return ms * 1_000_000;
}
