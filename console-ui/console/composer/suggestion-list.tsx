import { useEffect, useRef } from 'react';
import { counted } from '../../../src/wire/util/numbers.js';
import { VisibleText } from '../conversation/visible-text.js';
import type { Completion } from './use-completion.js';

/** Suggestions above the field; the field keeps the focus, and says which one is selected. */
export function SuggestionList({ list, kind, suggestions, chosen, pick }: Completion) {
  const box = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: scrolls whenever another entry is chosen
  useEffect(() => {
    box.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [chosen]);
  const isOpen = suggestions.length > 0;
  return (
    <>
      <p className="hidden" role="status">
        {isOpen && `${counted(suggestions.length, kind ?? 'file')} to choose from`}
      </p>
      {isOpen && (
        <div
          ref={box}
          id={list}
          className="suggestions"
          role="listbox"
          aria-label={kind === 'command' ? 'Commands' : 'Files'}
        >
          {suggestions.map((suggestion, index) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the field keeps the focus and points to the chosen entry
            <div
              key={suggestion.name}
              id={optionId(list, index)}
              role="option"
              aria-selected={index === chosen}
              className="suggestion"
              onMouseDown={(event) => {
                // The field keeps the focus.
                event.preventDefault();
                pick(suggestion);
              }}
            >
              <span className="suggestion-name">
                {kind === 'command' && '/'}
                <VisibleText text={suggestion.name} />
              </span>
              <span className="suggestion-about">{suggestion.about}</span>
            </div>
          ))}
        </div>
      )}
    </>
  );
}

/** The id of an entry. */
export function optionId(list: string, index: number): string {
  return `${list}-${index}`;
}
