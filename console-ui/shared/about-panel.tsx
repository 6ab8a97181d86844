import { filterKeys } from './model/row-filter.js';
import type { WireSnapshot } from './model/wire-log.js';
import { endText } from './model/wire-row.js';

const KEYS: readonly (readonly [string, string])[] = [
  ['↑ ↓', 'move through the list; also k and j, Page Up and Down, Home, End'],
  ['Enter', 'go to the details; Escape goes back to the list'],
  ['p', 'jump from a request to its answer, or back'],
  ['n', 'go to the next mistake'],
  ['t', 'go to the next turn'],
  ['/', 'go to the filter; Escape clears it'],
  ['1 … 5', 'show details, spans, cost, mistakes, about'],
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
    ['Secrets', header === undefined ? undefined : header.redacted ? 'removed' : 'not removed'],
  ];
  return (
    <div className="wire-about">
      <h2>The recording</h2>
      <Terms rows={facts} />
      <h2>Keys</h2>
      <Terms rows={KEYS} keys />
      <h2>Filter</h2>
      <p>
        Words are searched for in the whole line; <code>"two words"</code> is a phrase; <code>-</code> before
        a word or a key excludes matches. Several values of one key are alternatives.
      </p>
      <Terms rows={Object.entries(filterKeys).map(([key, words]) => [`${key}:`, words])} keys />
      <p>Drag on the timeline to zoom in; double-click to show everything.</p>
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
