import type { Transport } from '../../../wire/transport/transport.js';

/** What the other side of a tested transport does with a line. */
type PartnerAct =
  | { readonly act: 'say'; readonly lines: readonly string[] }
  | { readonly act: 'flood'; readonly count: number }
  | { readonly act: 'deaf' }
  | { readonly act: 'leave' };

/**
 * The protocol of the contract's other side: `!flood <n>` sends n numbered lines, `!deaf` stops reading,
 * `!leave` ends; anything else is echoed.
 */
function partnerAct(line: string): PartnerAct {
  const [command, argument] = line.split(' ');
  if (command === '!flood') return { act: 'flood', count: Number(argument) };
  if (command === '!deaf') return { act: 'deaf' };
  if (command === '!leave') return { act: 'leave' };
  return { act: 'say', lines: [line] };
}

/** Plays the contract's other side on the far end of a pair. */
export function echoPartner(transport: Transport): void {
  transport.start((lines) => {
    for (const line of lines) perform(transport, partnerAct(line));
  });
}

function perform(transport: Transport, action: PartnerAct): void {
  switch (action.act) {
    case 'say':
      for (const line of action.lines) void transport.send(line).catch(() => {});
      return;
    case 'flood':
      void flood(transport, action.count);
      return;
    case 'deaf':
      transport.pause();
      return;
    case 'leave':
      void transport.close();
  }
}

async function flood(transport: Transport, count: number): Promise<void> {
  try {
    for (let index = 0; index < count; index += 1) await transport.send(`line ${index}`);
  } catch {
    // The transport under test may be closed at any time.
  }
}
