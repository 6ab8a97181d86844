// A CLI that is never the bottleneck: it searches for the few words it needs and answers with prepared text.
// A user message with "plan: " in it triggers one of these; any other is answered with one short message:
//   flood COUNT SIZE     that many messages of that many bytes
//   line SIZE            one message of that many bytes
//   permissions COUNT W  can_use_tool requests, W at a time
//   hooks COUNT W        hook_callback requests, W at a time
//   tools COUNT W        tools/call requests to the in-process server `bench`, W at a time
// The result of a turn of calls says how long its calls waited for their answers (`bench_us`).
// Every control request of the host is answered with success; the end of stdin ends the program.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define SESSION "00000000-0000-4000-8000-000000000001"
#define OUT_SIZE (1 << 20)

static char out[OUT_SIZE];
static size_t out_length = 0;

static void flush_out(void) {
  size_t written = 0;
  while (written < out_length) {
    ssize_t n = write(1, out + written, out_length - written);
    if (n <= 0) exit(0);
    written += (size_t)n;
  }
  out_length = 0;
}

static void put(const char *text, size_t length) {
  while (length > 0) {
    if (out_length == OUT_SIZE) flush_out();
    size_t room = OUT_SIZE - out_length;
    size_t part = length < room ? length : room;
    memcpy(out + out_length, text, part);
    out_length += part;
    text += part;
    length -= part;
  }
}

static void say(const char *text) { put(text, strlen(text)); }

static char kind[32] = "";
/** `before` counts the calls of earlier turns: no id is used twice. */
static long count = 0, width = 0, before = 0, asked = 0, answered = 0;
static char hook_id[128] = "hook_0";
static int tools_stage = 0;
/** When each call of the turn was made; then how long it waited, in microseconds. */
static double *waits = NULL;

static double now_us(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return now.tv_sec * 1e6 + now.tv_nsec / 1e3;
}

static int by_size(const void *a, const void *b) {
  double left = *(const double *)a, right = *(const double *)b;
  return (left > right) - (left < right);
}

static double wait_at(double part) {
  if (answered == 0) return 0;
  return waits[(long)(part * (double)(answered - 1))];
}

static void say_init(void) {
  say("{\"type\":\"system\",\"subtype\":\"init\",\"cwd\":\"/\",\"session_id\":\"" SESSION "\",\"tools\":[],\"mcp_servers\":[],"
      "\"model\":\"m\",\"permissionMode\":\"default\",\"slash_commands\":[],\"apiKeySource\":\"none\","
      "\"claude_code_version\":\"2.1.326\",\"output_style\":\"default\",\"uuid\":\"" SESSION "\"}\n");
}

static void say_result(void) {
  say("{\"type\":\"result\",\"subtype\":\"success\",\"is_error\":false,\"duration_ms\":1,\"duration_api_ms\":1,\"num_turns\":1,"
      "\"result\":\"done\",\"session_id\":\"" SESSION "\",\"total_cost_usd\":0,\"usage\":{\"input_tokens\":1,\"output_tokens\":1},"
      "\"modelUsage\":{},\"permission_denials\":[],\"uuid\":\"" SESSION "\",\"bench_us\":");
  char text[96];
  if (answered > 0) qsort(waits, (size_t)answered, sizeof *waits, by_size);
  snprintf(text, sizeof text, "{\"p50\":%.1f,\"p99\":%.1f}}\n", wait_at(0.5), wait_at(0.99));
  say(text);
}

/** A stream event of `size` bytes, its line feed included; long ones are assistant messages. */
static char *message_of(long size) {
  const char *head = size < 2000
    ? "{\"type\":\"stream_event\",\"event\":{\"type\":\"content_block_delta\",\"index\":0,\"delta\":{\"type\":\"text_delta\",\"text\":\""
    : "{\"type\":\"assistant\",\"message\":{\"id\":\"msg_1\",\"type\":\"message\",\"role\":\"assistant\",\"model\":\"m\",\"content\":[{\"type\":\"text\",\"text\":\"";
  const char *tail = size < 2000
    ? "\"}},\"session_id\":\"" SESSION "\",\"parent_tool_use_id\":null,\"uuid\":\"" SESSION "\"}\n"
    : "\"}],\"usage\":{\"input_tokens\":1,\"output_tokens\":1}},\"session_id\":\"" SESSION "\",\"parent_tool_use_id\":null,\"uuid\":\"" SESSION "\"}\n";
  static const char words[] = "and so it goes on, word by word, as models speak; ";
  size_t head_length = strlen(head), tail_length = strlen(tail);
  size_t text_length = (size_t)size > head_length + tail_length ? (size_t)size - head_length - tail_length : 1;
  char *line = malloc(head_length + text_length + tail_length + 1);
  memcpy(line, head, head_length);
  for (size_t i = 0; i < text_length; i++) line[head_length + i] = words[i % (sizeof words - 1)];
  memcpy(line + head_length + text_length, tail, tail_length + 1);
  return line;
}

static void flood(long messages, long size) {
  char *line = message_of(size);
  size_t length = strlen(line);
  say_init();
  for (long i = 0; i < messages; i++) put(line, length);
  say_result();
  flush_out();
  free(line);
}

static void ask(long number) {
  char line[1024];
  if (strcmp(kind, "permissions") == 0)
    snprintf(line, sizeof line,
      "{\"type\":\"control_request\",\"request_id\":\"c%ld\",\"request\":{\"subtype\":\"can_use_tool\",\"tool_name\":\"Bash\","
      "\"input\":{\"command\":\"ls -l /tmp\",\"description\":\"List files\"},\"permission_suggestions\":[],\"tool_use_id\":\"toolu_%ld\"}}\n",
      number, number);
  else if (strcmp(kind, "hooks") == 0)
    snprintf(line, sizeof line,
      "{\"type\":\"control_request\",\"request_id\":\"c%ld\",\"request\":{\"subtype\":\"hook_callback\",\"callback_id\":\"%s\","
      "\"input\":{\"session_id\":\"" SESSION "\",\"transcript_path\":\"/t\",\"cwd\":\"/\",\"hook_event_name\":\"PreToolUse\",\"tool_name\":\"Bash\","
      "\"tool_input\":{\"command\":\"ls -l /tmp\"}},\"tool_use_id\":\"toolu_%ld\"}}\n",
      number, hook_id, number);
  else
    snprintf(line, sizeof line,
      "{\"type\":\"control_request\",\"request_id\":\"c%ld\",\"request\":{\"subtype\":\"mcp_message\",\"server_name\":\"bench\","
      "\"message\":{\"jsonrpc\":\"2.0\",\"id\":%ld,\"method\":\"tools/call\",\"params\":{\"name\":\"echo\",\"arguments\":{\"text\":\"hello\"}}}}}\n",
      number, number + 10);
  say(line);
  waits[asked++] = now_us();
}

static void ask_first(void) {
  for (long i = 0; i < width && asked < count; i++) ask(before + asked);
  flush_out();
}

/** In-process servers are greeted as the real CLIs greet them, one message after the other. */
static void greet_server(void) {
  static const char *messages[] = {
    "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\"clientInfo\":{\"name\":\"bench\",\"version\":\"1\"}}}",
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}",
    "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}",
  };
  char line[1024];
  snprintf(line, sizeof line,
    "{\"type\":\"control_request\",\"request_id\":\"g%d\",\"request\":{\"subtype\":\"mcp_message\",\"server_name\":\"bench\",\"message\":%s}}\n",
    tools_stage, messages[tools_stage]);
  say(line);
  flush_out();
}

static void read_plan(const char *line) {
  const char *plan = strstr(line, "plan: ");
  kind[0] = '\0';
  before += asked;
  count = width = asked = answered = 0;
  if (plan != NULL) sscanf(plan + 6, "%31[a-z] %ld %ld", kind, &count, &width);
}

static void begin_turn(void) {
  if (strcmp(kind, "flood") == 0) { flood(count, width); return; }
  if (strcmp(kind, "line") == 0) { flood(1, count); return; }
  if (kind[0] == '\0') { flood(1, 300); return; }
  say_init();
  waits = realloc(waits, (size_t)count * sizeof *waits);
  if (strcmp(kind, "tools") == 0 && tools_stage == 0) greet_server();
  else ask_first();
}

/** Copies the string behind `key` in `line`, whatever white space there is; whether it was found. */
static int string_after(const char *line, const char *key, char *into, size_t size) {
  const char *at = strstr(line, key);
  if (at == NULL) return 0;
  at = strchr(at + strlen(key), '"');
  if (at == NULL) return 0;
  const char *end = strchr(at + 1, '"');
  if (end == NULL || (size_t)(end - at) > size) return 0;
  memcpy(into, at + 1, (size_t)(end - at - 1));
  into[end - at - 1] = '\0';
  return 1;
}

static void take_answer(const char *line) {
  if (strcmp(kind, "tools") == 0 && tools_stage < 3) {
    tools_stage++;
    if (tools_stage < 3) greet_server();
    else ask_first();
    return;
  }
  char id[64] = "c0";
  string_after(line, "\"request_id\"", id, sizeof id);
  long number = atol(id + 1) - before;
  waits[number] = now_us() - waits[number];
  answered++;
  if (asked < count) ask(before + asked);
  if (answered == count) say_result();
}

static void take_request(const char *line) {
  char id[256];
  if (!string_after(line, "\"request_id\"", id, sizeof id)) return;
  string_after(line, "\"hookCallbackIds\"", hook_id, sizeof hook_id);
  say("{\"type\":\"control_response\",\"response\":{\"subtype\":\"success\",\"request_id\":\"");
  say(id);
  if (strstr(line, "\"subtype\":\"initialize\"") != NULL)
    say("\",\"response\":{\"commands\":[],\"agents\":[],\"models\":[],\"account\":{},\"output_style\":\"default\",\"available_output_styles\":[\"default\"]}}}\n");
  else
    say("\",\"response\":{\"mode\":\"default\"}}}\n");
}

static void take_line(const char *line) {
  if (strstr(line, "\"type\":\"control_request\"") != NULL) take_request(line);
  else if (strstr(line, "\"type\":\"control_response\"") != NULL) take_answer(line);
  else if (strstr(line, "\"type\":\"user\"") != NULL) {
    read_plan(line);
    begin_turn();
  }
}

int main(int argc, char **argv) {
  for (int i = 1; i < argc; i++)
    if (strcmp(argv[i], "--version") == 0) { puts("2.1.326 (Claude Code)"); return 0; }
  size_t size = 1 << 16, length = 0;
  char *in = malloc(size + 1);
  for (;;) {
    if (length == size) in = realloc(in, (size *= 2) + 1);
    ssize_t n = read(0, in + length, size - length);
    if (n <= 0) return 0;
    length += (size_t)n;
    size_t start = 0;
    for (;;) {
      char *feed = memchr(in + start, '\n', length - start);
      if (feed == NULL) break;
      *feed = '\0';
      take_line(in + start);
      start = (size_t)(feed - in) + 1;
    }
    memmove(in, in + start, length - start);
    length -= start;
    flush_out();
  }
}
