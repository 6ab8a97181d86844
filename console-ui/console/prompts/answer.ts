import { useCallback } from 'react';
import type { PromptAnswer, PromptView } from '../../../src/entry/remote/contract.js';
import { useCommands, useReach } from '../store/context.js';

/** What a card does with an answer. */
export interface Answering {
  readonly busy: boolean;
  readonly send: (answer: PromptAnswer) => void;
}

/** Answers a prompt; if someone else was first, says who. */
export function useAnswer(session: string, prompt: PromptView): Answering {
  const { tell } = useReach();
  const { run, busy } = useCommands();
  const send = useCallback(
    (answer: PromptAnswer) => {
      if (busy) return;
      void run('answer', { prompt: prompt.id, answer }, { session }).then((value) => {
        if (value !== undefined && !value.accepted)
          tell(`Already answered${value.by === undefined ? '' : ` by ${value.by.name}`}.`);
      });
    },
    [busy, run, prompt.id, session, tell],
  );
  return { busy, send };
}
