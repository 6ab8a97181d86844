import {
  type KeyboardEvent,
  type RefObject,
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import { useSuggestions } from './use-suggestions.js';
import { type Completable, completableAt, complete, type Suggestion } from './word-at.js';

/** The suggestions while you type, and how to select one. */
export interface Completion {
  readonly list: string;
  readonly kind: Completable['kind'] | undefined;
  readonly suggestions: readonly Suggestion[];
  readonly chosen: number;
  readonly pick: (suggestion: Suggestion) => void;
  /** Reads the caret position; call it when the caret or the text has changed. */
  readonly look: () => void;
  /** Handles keys for the list; returns whether it did. */
  readonly onKeyDown: (event: KeyboardEvent) => boolean;
}

/** Completes commands and file names in a field. */
export function useCompletion(
  session: string,
  field: RefObject<HTMLTextAreaElement | null>,
  setText: (text: string) => void,
): Completion {
  const list = useId();
  const [word, setWord] = useState<Completable>();
  const [chosen, setChosen] = useState(0);
  const caret = useRef<number>(undefined);
  const suggestions = useSuggestions(session, word);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new list starts at its first entry
  useEffect(() => setChosen(0), [suggestions]);
  // The text is there only after the next frame.
  useLayoutEffect(() => {
    if (caret.current === undefined) return;
    field.current?.setSelectionRange(caret.current, caret.current);
    caret.current = undefined;
  });
  const look = () => {
    const { value = '', selectionStart = 0, selectionEnd = 0 } = field.current ?? {};
    const next = selectionStart === selectionEnd ? completableAt(value, selectionStart) : undefined;
    setWord((before) => (isSame(before, next) ? before : next));
  };
  const pick = (suggestion: Suggestion) => {
    if (word === undefined || field.current === null) return;
    const whole = complete(field.current.value, word, suggestion);
    setText(whole.text);
    caret.current = whole.caret;
    setWord(suggestion.name.endsWith('/') ? completableAt(whole.text, whole.caret) : undefined);
    field.current.focus();
  };
  const onKeyDown = (event: KeyboardEvent): boolean => {
    const suggestion = suggestions[chosen];
    if (suggestion === undefined || event.nativeEvent.isComposing) return false;
    const move = MOVES[event.key];
    if (event.key === 'Escape') setWord(undefined);
    else if (move !== undefined) setChosen((chosen + move + suggestions.length) % suggestions.length);
    else if ((event.key === 'Enter' && !event.shiftKey && !isWhole(word, suggestion)) || event.key === 'Tab')
      pick(suggestion);
    else return false;
    event.preventDefault();
    return true;
  };
  return { list, kind: word?.kind, suggestions, chosen, pick, look, onKeyDown };
}

const MOVES: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };

/** Someone who has typed all of it wants to send. */
function isWhole(word: Completable | undefined, { name }: Suggestion): boolean {
  return word?.kind === 'command' && word.query === name;
}

function isSame(one: Completable | undefined, other: Completable | undefined): boolean {
  return one?.kind === other?.kind && one?.query === other?.query && one?.start === other?.start;
}
