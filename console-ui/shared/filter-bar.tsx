import { type Ref, useDeferredValue, useImperativeHandle, useRef } from 'react';
import { filterKeys, hasTerm, toggleTerm } from './model/row-filter.js';
import './filter-bar.css';

/** The props of a {@link FilterBar}. */
export interface FilterBarProps {
  readonly filter: string;
  readonly onFilter: (filter: string) => void;
  readonly fold: boolean;
  readonly onFold: (fold: boolean) => void;
  readonly problems: readonly string[];
  readonly shown: number;
  readonly of: number;
  /** Escape on an empty filter, or Enter: moves to the list. */
  readonly onLeave: () => void;
  readonly handle?: Ref<FilterBarHandle> | undefined;
}

/** What others may do with the filter. */
export interface FilterBarHandle {
  focus(): void;
}

const CHIPS: readonly (readonly [string, string])[] = [
  ['from:host', 'host'],
  ['from:cli', 'CLI'],
  ['is:control', 'control'],
  ['is:message', 'messages'],
  ['is:mistake', 'mistakes'],
];

/** The list's filter: words, `key:value`, a minus to exclude; and buttons for the usual ones. */
export function FilterBar(props: FilterBarProps) {
  const { filter, onFilter, fold, onFold, problems, shown, of, onLeave, handle } = props;
  const input = useRef<HTMLInputElement>(null);
  useImperativeHandle(handle, () => ({
    focus: () => {
      input.current?.focus();
      input.current?.select();
    },
  }));
  const spoken = useDeferredValue(`${shown.toLocaleString('en')} of ${of.toLocaleString('en')}`);
  return (
    <search className="wire-filter">
      <div className="wire-filter-line">
        <input
          ref={input}
          type="search"
          value={filter}
          placeholder="Filter: type:assistant -init …"
          aria-label="Filter frames"
          aria-describedby="wire-filter-help"
          spellCheck={false}
          autoComplete="off"
          autoCapitalize="off"
          onChange={({ target }) => onFilter(target.value)}
          onKeyDown={(event) => {
            if (event.key === 'Enter' || (event.key === 'Escape' && filter === '')) onLeave();
            if (event.key === 'Escape') onFilter('');
            if (event.key === 'Escape' || event.key === 'Enter') event.preventDefault();
          }}
        />
        <output className="wire-shown">{spoken}</output>
      </div>
      <div className="wire-chips">
        {CHIPS.map(([term, name]) => (
          <button
            key={term}
            type="button"
            aria-pressed={hasTerm(filter, term)}
            onClick={() => onFilter(toggleTerm(filter, term))}
          >
            {name}
          </button>
        ))}
        <button
          type="button"
          aria-pressed={fold}
          onClick={() => onFold(!fold)}
          title="Show streamed pieces as one line"
        >
          fold pieces
        </button>
      </div>
      {problems.map((problem) => (
        <p key={problem} className="wire-problem" role="status">
          {problem}
        </p>
      ))}
      <p id="wire-filter-help" className="wire-hidden">
        Words are searched for in the whole line. Keys: {Object.keys(filterKeys).join(', ')}. A minus
        excludes.
      </p>
    </search>
  );
}
