import * as z from 'zod';
import { anyObject, open, openUnion, type Schema } from './values-shapes.schemas.js';

const apiUsageSchema = z.looseObject({
  /** Tokens read without the cache. */
  input_tokens: z.number(),
  /** Tokens written by the model. */
  output_tokens: z.number(),
  /** Tokens written to the cache. */
  cache_creation_input_tokens: z.number().nullish(),
  /** Tokens read from the cache. */
  cache_read_input_tokens: z.number().nullish(),
  output_tokens_details: anyObject.nullish(),
  server_tool_use: anyObject.nullish(),
  service_tier: z.string().nullish(),
  cache_creation: anyObject.nullish(),
  inference_geo: z.string().nullish(),
  iterations: z.array(z.unknown()).nullish(),
  speed: z.string().nullish(),
  fallback_credit: z.unknown().optional(),
});

/** Tokens as the Messages API counts them. */
export interface ApiUsage extends z.infer<typeof apiUsageSchema> {}
/** Schema of tokens as the Messages API counts them. */
export const apiUsage: Schema<ApiUsage> = apiUsageSchema;

const cacheControl = { cache_control: anyObject.nullish() };
const citations = z.array(z.unknown()).nullish();

const contentBlockSchema = openUnion([
  z.looseObject({ type: z.literal('text'), text: z.string(), citations, ...cacheControl }),
  z.looseObject({ type: z.literal('thinking'), thinking: z.string(), signature: z.string() }),
  z.looseObject({ type: z.literal('redacted_thinking'), data: z.string() }),
  z.looseObject({
    type: z.literal('tool_use'),
    id: z.string(),
    name: z.string(),
    input: z.unknown(),
    ...cacheControl,
  }),
  z.looseObject({
    type: z.literal('server_tool_use'),
    id: z.string(),
    name: z.string(),
    input: z.unknown(),
  }),
  z.looseObject({
    type: z.literal('tool_result'),
    tool_use_id: z.string(),
    content: z.union([z.string(), z.array(z.unknown())]).optional(),
    is_error: z.boolean().optional(),
    ...cacheControl,
  }),
  z.looseObject({ type: z.literal('image'), source: anyObject, ...cacheControl }),
  z.looseObject({ type: z.literal('document'), source: anyObject, ...cacheControl }),
]);

/** A content block of the Messages API; kinds that are not listed are {@link UnknownKind}. */
export type ContentBlock = z.infer<typeof contentBlockSchema>;
/** Schema of a content block. */
export interface ContentBlockSchema extends z.ZodType<ContentBlock> {}
/** Schema of a content block. */
const contentBlock: ContentBlockSchema = contentBlockSchema;

const apiMessageSchema = z.looseObject({
  /** The id of the message; blocks of one message share it. */
  id: z.string(),
  type: z.literal('message'),
  role: z.literal('assistant'),
  /** The model that wrote it; `<synthetic>` for messages of the CLI itself. */
  model: z.string(),
  /** The content blocks. */
  content: z.array(contentBlock),
  /** Why the model stopped; null while it is unknown. */
  stop_reason: open([
    'end_turn',
    'max_tokens',
    'stop_sequence',
    'tool_use',
    'pause_turn',
    'refusal',
  ]).nullable(),
  stop_sequence: z.string().nullable(),
  stop_details: z.unknown().optional(),
  /** Token counts. */
  usage: apiUsage,
  container: z.unknown().optional(),
  context_management: anyObject.nullish(),
  diagnostics: z.unknown().optional(),
});

/** A message of the model as the Messages API returns it. */
export interface ApiMessage extends z.infer<typeof apiMessageSchema> {}
/** Schema of a message of the model. */
export const apiMessage: Schema<ApiMessage> = apiMessageSchema;

const userContentSchema = z.looseObject({
  role: z.literal('user'),
  content: z.union([z.string(), z.array(contentBlock)]),
});

/** A message in the user role. */
export interface UserContent extends z.infer<typeof userContentSchema> {}
/** Schema of a message in the user role. */
export const userContent: Schema<UserContent> = userContentSchema;

const index = z.number();
const delta = openUnion([
  z.looseObject({ type: z.literal('text_delta'), text: z.string() }),
  z.looseObject({ type: z.literal('input_json_delta'), partial_json: z.string() }),
  z.looseObject({ type: z.literal('thinking_delta'), thinking: z.string() }),
  z.looseObject({ type: z.literal('signature_delta'), signature: z.string() }),
  z.looseObject({ type: z.literal('citations_delta'), citation: z.unknown() }),
]);

const streamEventSchema = openUnion([
  z.looseObject({ type: z.literal('message_start'), message: apiMessage }),
  z.looseObject({ type: z.literal('content_block_start'), index, content_block: contentBlock }),
  z.looseObject({ type: z.literal('content_block_delta'), index, delta }),
  z.looseObject({ type: z.literal('content_block_stop'), index }),
  z.looseObject({
    type: z.literal('message_delta'),
    delta: z.looseObject({ stop_reason: z.string().nullish(), stop_sequence: z.string().nullish() }),
    usage: anyObject,
    context_management: anyObject.nullish(),
  }),
  z.looseObject({ type: z.literal('message_stop') }),
  z.looseObject({ type: z.literal('ping') }),
  z.looseObject({ type: z.literal('error'), error: anyObject }),
]);

/** An event of the model's stream; kinds that are not listed are {@link UnknownKind}. */
export type StreamEvent = z.infer<typeof streamEventSchema>;
/** Schema of an event of the model's stream. */
export interface StreamEventSchema extends z.ZodType<StreamEvent> {}
/** Schema of an event of the model's stream. */
export const streamEvent: StreamEventSchema = streamEventSchema;
