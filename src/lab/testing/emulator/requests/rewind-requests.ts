import type { Handler } from './request-handler.js';

/** 2.0.73: a plain ack; `dry_run` is ignored and files would really change. */
export const rewind2073: Handler = (request, { state }) => {
  const id = String(request.body.user_message_id);
  if (!state.checkpointing) request.refuse('File rewinding is not enabled for the SDK.');
  else if (!state.userMessageIds.has(id)) request.refuse(`No file checkpoint found for message ${id}`);
  else request.succeed();
};

/** From 2.1.17: tells what it can do; a dry run never fails. */
export function rewindFrom2117(extra: Readonly<Record<string, unknown>>): Handler {
  return (request, { state }) => {
    const dry = request.body.dry_run === true;
    const problem = state.checkpointing
      ? state.userMessageIds.has(String(request.body.user_message_id))
        ? undefined
        : 'No file checkpoint found for this message.'
      : 'File rewinding is not enabled.';
    if (problem === undefined) {
      request.succeed(
        dry
          ? { canRewind: true, filesChanged: [], insertions: 0, deletions: 0 }
          : { canRewind: true, ...extra },
      );
    } else if (dry) request.succeed({ canRewind: false, error: problem });
    else request.refuse(problem);
  };
}
