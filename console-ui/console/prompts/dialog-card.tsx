import { useState } from 'react';
import type { DialogView } from '../../../src/entry/remote/contract.js';
import { ActionButton } from './action-button.js';
import type { Answering } from './answer.js';

/** A dialog of a kind that this page has no form for: its subject, and an answer as JSON. */
export function DialogCard({ prompt, answering }: { prompt: DialogView; answering: Answering }) {
  const [text, setText] = useState('{}');
  const [problem, setProblem] = useState<string>();
  const complete = () => {
    try {
      answering.send({ answer: 'complete', result: JSON.parse(text) as unknown });
    } catch (error) {
      setProblem(error instanceof Error ? error.message : String(error));
    }
  };
  return (
    <>
      <pre tabIndex={0}>{JSON.stringify(prompt.payload, null, 2)}</pre>
      <label className="form-field">
        The result, as JSON
        <textarea
          rows={3}
          value={text}
          aria-invalid={problem !== undefined}
          onChange={(event) => setText(event.target.value)}
        />
        {problem !== undefined && <span className="problem">{problem}</span>}
      </label>
      <div className="prompt-actions">
        <ActionButton answering={answering} look="primary" onPress={complete}>
          Complete
        </ActionButton>
        <ActionButton answering={answering} look="quiet" onPress={() => answering.send({ answer: 'cancel' })}>
          Cancel
        </ActionButton>
      </div>
    </>
  );
}
