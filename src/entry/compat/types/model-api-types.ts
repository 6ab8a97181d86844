// The message shapes of the model's API, as far as programs use them; the rest is left open.

// biome-ignore lint/suspicious/noExplicitAny: shapes of the model's API that programs rarely look into.
type Open = any;

export type StopReason =
  | 'end_turn'
  | 'max_tokens'
  | 'stop_sequence'
  | 'tool_use'
  | 'pause_turn'
  | 'compaction'
  | 'refusal'
  | 'model_context_window_exceeded';

type ServerTool =
  | 'advisor'
  | 'web_search'
  | 'web_fetch'
  | 'code_execution'
  | 'bash_code_execution'
  | 'text_editor_code_execution'
  | 'tool_search_tool_regex'
  | 'tool_search_tool_bm25';

/** The result of a server-side tool, by its kind. */
export type ServerToolResult<Kind extends string> = {
  type: Kind;
  tool_use_id: string;
  content: Open;
  caller?: Open;
};

/** One content block of the model. */
export type ContentBlock =
  | { type: 'text'; text: string; citations: Open[] | null }
  | { type: 'thinking'; thinking: string; signature: string }
  | { type: 'redacted_thinking'; data: string }
  | {
      type: 'tool_use';
      id: string;
      name: string;
      input: unknown;
      caller?: Open;
      toolset_name?: string | null;
    }
  | {
      type: 'server_tool_use';
      id: string;
      name: ServerTool;
      input: { [key: string]: unknown };
      caller?: Open;
    }
  | ServerToolResult<'web_search_tool_result'>
  | ServerToolResult<'web_fetch_tool_result'>
  | ServerToolResult<'advisor_tool_result'>
  | ServerToolResult<'code_execution_tool_result'>
  | ServerToolResult<'bash_code_execution_tool_result'>
  | ServerToolResult<'text_editor_code_execution_tool_result'>
  | ServerToolResult<'tool_search_tool_result'>
  | { type: 'mcp_tool_use'; id: string; name: string; input: unknown; server_name: string }
  | { type: 'mcp_tool_result'; tool_use_id: string; content: Open; is_error: boolean }
  | { type: 'mcp_tool_listing'; mcp_server_name: string; tools: Open[] }
  | { type: 'container_upload'; file_id: string }
  | {
      type: 'compaction';
      content: string | null;
      encrypted_content: string | null;
      signature?: string | null;
      tool_changes?: Open[] | null;
    }
  | { type: 'fallback'; from: Open; to: Open; trigger: Open };

/** Tokens, as the API counts them. */
export type Usage = {
  input_tokens: number;
  output_tokens: number;
  cache_creation_input_tokens: number | null;
  cache_read_input_tokens: number | null;
  cache_creation: { ephemeral_1h_input_tokens: number; ephemeral_5m_input_tokens: number } | null;
  output_tokens_details: { thinking_tokens: number } | null;
  server_tool_use: { web_fetch_requests: number; web_search_requests: number } | null;
  service_tier: 'standard' | 'priority' | 'batch' | null;
  speed: 'standard' | 'fast' | null;
  inference_geo: string | null;
  iterations: Open[] | null;
  fallback_credit: Open;
};

/** A message of the model. */
export type ModelMessage = {
  id: string;
  type: 'message';
  role: 'assistant';
  model: string;
  content: ContentBlock[];
  stop_reason: StopReason | null;
  stop_sequence: string | null;
  usage: Usage;
  container: Open;
  context_management: Open;
  diagnostics: Open;
  stop_details: Open;
  input_transformations?: Open[] | null;
};

export type ContentDelta =
  | { type: 'text_delta'; text: string }
  | { type: 'input_json_delta'; partial_json: string }
  | { type: 'thinking_delta'; thinking: string; estimated_tokens: number | null }
  | { type: 'signature_delta'; signature: string }
  | { type: 'citations_delta'; citation: Open }
  | { type: 'compaction_delta'; content: string | null; encrypted_content: string | null };

/** An event of a message that is still being written. */
export type StreamEvent =
  | { type: 'message_start'; message: ModelMessage }
  | {
      type: 'message_delta';
      delta: {
        stop_reason: StopReason | null;
        stop_sequence: string | null;
        container: Open;
        stop_details: Open;
      };
      usage: Omit<Usage, 'input_tokens' | 'cache_creation' | 'inference_geo' | 'service_tier' | 'speed'> & {
        input_tokens: number | null;
      };
      context_management: Open;
      input_transformations?: Open[] | null;
    }
  | { type: 'message_stop' }
  | { type: 'content_block_start'; index: number; content_block: ContentBlock }
  | { type: 'content_block_delta'; index: number; delta: ContentDelta }
  | { type: 'content_block_stop'; index: number };

/** A message to the model: a text, or content blocks of its API. */
export type MessageParam =
  | { role: 'user'; content: string | Open[] }
  | { role: 'assistant'; content: string | Open[] }
  | { role: 'system'; content: string | Open[] };
