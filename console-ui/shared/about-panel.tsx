import { filterKeys } from './model/row-filter.js';
import type { WireSnapshot } from './model/wire-log.js';
import { endText } from './model/wire-row.js';

const KEYS: readonly (readonly [string, string])[] = [
  ['↑ ↓', 'the frame before and after; also k and j, Page Up and Down, Home, End'],
  ['Enter', 'look at the frame; Escape goes back to the list'],
  ['p', 'to the answer of a request, or to its question'],
  ['n', 'to the next mistake'],
  ['t', 'to the next turn'],
  ['/', 'to the filter; Escape empties it'],
  ['1 … 5', 'details, spans, cost, mistakes, about'],
];

/** What was recorded, the keyboard shortcuts, and the filter syntax. */
export function AboutPanel({ wire }: { readonly wire: WireSnapshot }) {
  const { header, cliVersion, sessionId, end } = wire;
  const facts: readonly (readonly [string, string | undefined])[] = [
    [
      'Recorded',
      header === undefined ? undefined : `${header.startedAt} on ${header.platform} ${header.arch}`,
    ],
    ['Command', header?.argv.join(' ') || undefined],
    ['Folder', header?.cwd],
    ['CLI', cliVersion],
    ['Session', sessionId],
    ['End', end === undefined ? 'not recorded' : endText(end)],
    ['stderr', end?.reason === 'exited' && end.stderrTail !== '' ? end.stderrTail : undefined],
    ['Secrets', header === undefined ? undefined : header.redacted ? 'taken out' : 'left in'],
  ];
  return (
    <div className="wire-about">
      <h2>The recording</h2>
      <Terms rows={facts} />
      <h2>Keys</h2>
      <Terms rows={KEYS} keys />
      <h2>Filter</h2>
      <p>
        Words are looked for in the whole line; <code>"two words"</code> belong together; <code>-</code>{' '}
        before a word or a key takes away what fits. Several values of one key are alternatives.
      </p>
      <Terms rows={Object.entries(filterKeys).map(([key, words]) => [`${key}:`, words])} keys />
      <p>On the timeline, drag to look at a part of it; a double click shows all.</p>
    </div>
  );
}

interface TermsProps {
  readonly rows: readonly (readonly [string, string | undefined])[];
  readonly keys?: boolean | undefined;
}

function Terms({ rows, keys = false }: TermsProps) {
  return (
    <dl>
      {rows.flatMap(([term, words]) =>
        words === undefined
          ? []
          : [
              <div key={term}>
                <dt>{keys ? <kbd>{term}</kbd> : term}</dt>
                <dd>{words}</dd>
              </div>,
            ],
      )}
    </dl>
  );
}
