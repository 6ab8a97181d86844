import { useEffect, useRef, useState } from 'react';
import { isObject, type WireObject } from '../../../src/wire/protocol/frames.js';
import { text } from '../model/blocks.js';
import { useReach } from '../store/context.js';
import { type Completable, matchingCommands, SHOWN, type Suggestion } from './word-at.js';

/** The suggestions; empty if there is nothing to complete. */
export function useSuggestions(session: string, word: Completable | undefined): readonly Suggestion[] {
  const { link } = useReach();
  const [found, setFound] = useState<readonly Suggestion[]>([]);
  const commands = useRef<Promise<readonly Suggestion[]> | undefined>(undefined);
  const [kind, query] = [word?.kind, word?.query ?? ''];
  useEffect(() => {
    if (kind === undefined) return setFound([]);
    let isCurrent = true;
    const take = (suggestions: readonly Suggestion[]) => {
      // The selection stays while the list is the same.
      if (isCurrent) setFound((before) => (isSame(before, suggestions) ? before : suggestions));
    };
    // If the request fails, for example without a CLI, you can still type by hand.
    const none = () => {
      take([]);
      commands.current = undefined;
    };
    if (kind === 'command') {
      commands.current ??= link.command('info', {}, { session }).then(({ info }) => commandsIn(info));
      commands.current.then((all) => take(matchingCommands(all, query)), none);
    } else {
      link
        .command('files', { search: query, limit: SHOWN }, { session })
        .then(({ files }) => take(files.map((name) => ({ name, about: '' }))), none);
    }
    return () => {
      isCurrent = false;
    };
  }, [link, session, kind, query]);
  return found;
}

function isSame(one: readonly Suggestion[], other: readonly Suggestion[]): boolean {
  return one.length === other.length && one.every(({ name }, index) => name === other[index]?.name);
}

function commandsIn({ commands }: WireObject): readonly Suggestion[] {
  const all = Array.isArray(commands) ? commands.filter(isObject) : [];
  return all.flatMap(({ name, description, argumentHint }) => {
    const about = [text(argumentHint), text(description)].filter((part) => part !== undefined && part !== '');
    return typeof name === 'string' ? [{ name, about: about.join(' · ') }] : [];
  });
}
