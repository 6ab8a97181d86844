import type { Attached } from '../../../entry/remote/contract.js';
import { type LogEntry, socketText } from '../log/entry.js';
import type { Outlet } from './outlet.js';
import type { EventOutlet } from './viewer.js';

/** Events as socket messages. */
export function socketEvents(outlet: Outlet): EventOutlet {
  return {
    get open() {
      return outlet.open;
    },
    get writable() {
      return outlet.writable;
    },
    drained: () => outlet.drained(),
    sendAttached: (attached: Attached) => outlet.send(JSON.stringify(attached)),
    sendEntry: (session, entry) => outlet.sendEvent(textFor(session, entry)),
  };
}

/** Many viewers get the same event: its text is built once. */
let made: { readonly entry: LogEntry; readonly text: string } | undefined;

function textFor(session: string, entry: LogEntry): string {
  if (made?.entry !== entry) made = { entry, text: socketText(session, entry) };
  return made.text;
}
