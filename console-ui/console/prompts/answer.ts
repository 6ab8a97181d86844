import { useCallback, useEffect, useState } from 'react';
import type { PromptAnswer, PromptView } from '../../../src/entry/remote/contract.js';
import { useCommands, useIsOpen, useReach } from '../store/context.js';

/** What a card does with an answer. */
export interface Answering {
  /** Whether an answer is in flight, or was taken: then the card is about to disappear. */
  readonly busy: boolean;
  readonly send: (answer: PromptAnswer) => void;
}

/** Answers a prompt; if someone else was first, says who. */
export function useAnswer(session: string, prompt: PromptView): Answering {
  const { tell } = useReach();
  const isOpen = useIsOpen();
  const { run, busy: isInFlight } = useCommands();
  const [isAnswered, setAnswered] = useState(false);
  // A server that was restarted may ask again.
  useEffect(() => {
    if (!isOpen) setAnswered(false);
  }, [isOpen]);
  const busy = isInFlight || isAnswered;
  const send = useCallback(
    (answer: PromptAnswer) => {
      if (busy) return;
      setAnswered(true);
      void run('answer', { prompt: prompt.id, answer }, { session }).then((value) => {
        if (value === undefined) setAnswered(false);
        else if (!value.accepted)
          tell(`Already answered${value.by === undefined ? '' : ` by ${value.by.name}`}.`);
      });
    },
    [busy, run, prompt.id, session, tell],
  );
  return { busy, send };
}
