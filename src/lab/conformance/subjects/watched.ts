import { isObject } from '../../../wire/protocol/frames.js';
import { part } from '../reading.js';
import type { Subject } from '../subject.js';

/** Reports each kind of output of a CLI: `message system/init`, `request can_use_tool`, `capability …`. */
export function watchedSubject(subject: Subject, onSeen: (what: string) => void): Subject {
  return {
    ...subject,
    start: async (start) => {
      const cli = await subject.start(start);
      const { transport } = cli;
      const begin = transport.start.bind(transport);
      transport.start = (onLines) =>
        begin((lines) => {
          for (const what of lines.flatMap(seenIn)) onSeen(what);
          onLines(lines);
        });
      return cli;
    },
  };
}

function seenIn(line: string): readonly string[] {
  let frame: unknown;
  try {
    frame = JSON.parse(line);
  } catch {
    return [];
  }
  if (!isObject(frame) || frame.type === 'control_response') return [];
  const { type, subtype, capabilities } = frame;
  if (type === 'control_request') {
    const { subtype: asked, input } = part(frame, 'request');
    const { hook_event_name: event } = part(input);
    return [event === undefined ? `request ${asked}` : `request ${asked} ${event}`];
  }
  const told = Array.isArray(capabilities) ? capabilities.map((name) => `capability ${name}`) : [];
  return [subtype === undefined ? `message ${type}` : `message ${type}/${subtype}`, ...told];
}
