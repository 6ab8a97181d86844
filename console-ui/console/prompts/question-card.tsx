import { useId, useState } from 'react';
import type { QuestionView } from '../../../src/remote/contract.js';
import type { Answering } from './answer.js';
import { Key } from './key.js';
import {
  answersOf,
  type Chosen,
  choose,
  chooseOther,
  isAnswered,
  NOTHING,
  type Question,
} from './question-answers.js';
import { useKeys } from './use-keys.js';

/** Questions of the model as a form: one or several options, or the person's own words. Never allow or deny. */
export function QuestionCard({ prompt, answering }: { prompt: QuestionView; answering: Answering }) {
  const { questions } = prompt;
  const [chosen, setChosen] = useState<readonly Chosen[]>(() => questions.map(() => NOTHING));
  const complete = questions.every((_, index) => isAnswered(chosen[index] ?? NOTHING));
  const set = (index: number, next: Chosen) =>
    setChosen(questions.map((_, at) => (at === index ? next : (chosen[at] ?? NOTHING))));
  const submit = () => {
    if (complete) answering.send({ answer: 'choices', choices: answersOf(questions, chosen) });
  };
  useKeys({ Enter: submit, ...numberKeys(questions, chosen, set) });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {questions.map((question, index) => (
        <QuestionFields
          key={question.question}
          question={question}
          chosen={chosen[index] ?? NOTHING}
          onChange={(next) => set(index, next)}
        />
      ))}
      {questions.length === 0 && <p className="faint">This form has no questions that can be shown.</p>}
      <div className="prompt-actions">
        <button type="submit" className="primary" disabled={!complete || answering.busy}>
          Answer <Key name="↵" />
        </button>
        <button
          type="button"
          className="quiet"
          disabled={answering.busy}
          onClick={() => answering.send({ answer: 'decline' })}
        >
          Leave it unanswered
        </button>
      </div>
    </form>
  );
}

/** Numbers choose options of the question that has the focus, or of the first without an answer. */
function numberKeys(
  questions: readonly Question[],
  chosen: readonly Chosen[],
  set: (index: number, next: Chosen) => void,
): Record<string, () => void> {
  const press = (number: number) => {
    const focused = document.activeElement?.closest('[data-question]')?.getAttribute('data-question');
    const open = questions.findIndex((_, index) => !isAnswered(chosen[index] ?? NOTHING));
    const byFocus = questions.findIndex(({ question }) => question === focused);
    const index = byFocus === -1 ? Math.max(open, 0) : byFocus;
    const question = questions[index];
    const option = question?.options[number - 1];
    if (question !== undefined && option !== undefined)
      set(index, choose(question, chosen[index] ?? NOTHING, option.label));
  };
  return Object.fromEntries(
    [1, 2, 3, 4, 5, 6, 7, 8, 9].map((number) => [String(number), () => press(number)]),
  );
}

function QuestionFields({
  question,
  chosen,
  onChange,
}: {
  question: Question;
  chosen: Chosen;
  onChange: (next: Chosen) => void;
}) {
  const group = useId();
  const type = question.multiSelect ? 'checkbox' : 'radio';
  return (
    <fieldset className="question" data-question={question.question}>
      <legend>
        {question.header !== '' && <span className="tag">{question.header}</span>} {question.question}
        {question.multiSelect && <span className="faint"> (any number)</span>}
      </legend>
      {question.options.map(({ label, description }, index) => (
        <label key={label} className="option">
          <input
            type={type}
            name={group}
            checked={chosen.labels.includes(label)}
            onChange={() => onChange(choose(question, chosen, label))}
          />
          <span>
            <span className="option-label">{label}</span>
            {description !== '' && description !== label && <span className="faint">{description}</span>}
          </span>
          <Key name={String(index + 1)} />
        </label>
      ))}
      <Other question={question} chosen={chosen} group={group} onChange={onChange} />
    </fieldset>
  );
}

function Other({
  question,
  chosen,
  group,
  onChange,
}: {
  question: Question;
  chosen: Chosen;
  group: string;
  onChange: (next: Chosen) => void;
}) {
  return (
    <div className="option">
      <input
        type={question.multiSelect ? 'checkbox' : 'radio'}
        name={group}
        aria-label="Something else"
        checked={chosen.usesOther}
        onChange={(event) => onChange(chooseOther(question, chosen, event.target.checked))}
      />
      <input
        type="text"
        className="other"
        placeholder="Something else"
        aria-label="Something else, in your own words"
        value={chosen.other}
        onChange={(event) =>
          onChange({ ...chooseOther(question, chosen, event.target.value !== ''), other: event.target.value })
        }
      />
    </div>
  );
}
