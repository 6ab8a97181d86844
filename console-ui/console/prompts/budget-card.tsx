import { useId, useState } from 'react';
import type { BudgetView } from '../../../src/entry/remote/contract.js';
import { dollars, estimatedDollars } from '../../../src/wire/util/numbers.js';
import { ActionButton } from './action-button.js';
import type { Answering } from './answer.js';
import { useKeys } from './use-keys.js';

/**
 * A budget is spent: let this session spend more, send the next message anyway, or cancel the waiting
 * messages.
 */
export function BudgetCard({ prompt, answering }: { prompt: BudgetView; answering: Answering }) {
  const id = useId();
  const [text, setText] = useState(String(prompt.limitUsd));
  const usd = Number(text);
  const isAmount = Number.isFinite(usd) && usd > 0;
  const raise = () => answering.send({ answer: 'raise', usd });
  const once = () => answering.send({ answer: 'once' });
  const stop = () => answering.send({ answer: 'stop' });
  useKeys({ ...(isAmount ? { a: raise } : {}), '1': once, d: stop });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        if (isAmount) raise();
      }}
    >
      <p>
        {WHOSE[prompt.scope]} may cost {dollars(prompt.limitUsd)}, and {estimatedDollars(prompt.spentUsd)} is
        spent. A message waits.
      </p>
      <div className="form-field">
        <label htmlFor={id}>Extra dollars for this session</label>
        <input
          id={id}
          inputMode="decimal"
          value={text}
          aria-invalid={!isAmount}
          onChange={(event) => setText(event.target.value)}
        />
      </div>
      <div className="prompt-actions">
        <ActionButton answering={answering} look="primary" shortcut="a" disabled={!isAmount} onPress={raise}>
          Raise
        </ActionButton>
        <ActionButton answering={answering} shortcut="1" onPress={once}>
          Send this one
        </ActionButton>
        <ActionButton answering={answering} look="danger" shortcut="d" onPress={stop}>
          Cancel waiting messages
        </ActionButton>
      </div>
    </form>
  );
}

const WHOSE: Readonly<Record<BudgetView['scope'], string>> = {
  conversation: 'This session',
  owner: 'All sessions of this key',
  day: 'All sessions today',
  total: 'All sessions together',
};
