import { useId, useState } from 'react';
import type { QuestionView } from '../../../src/entry/remote/contract.js';
import { ActionButton } from './action-button.js';
import type { Answering } from './answer.js';
import { Key } from './key.js';
import {
  answersOf,
  type Chosen,
  choose,
  chooseOther,
  firstUnanswered,
  NOTHING,
  type Question,
} from './question-answers.js';
import { useKeys } from './use-keys.js';

/** The model's questions as a form: one or several options, or free text. Never allow or deny. */
export function QuestionCard({ prompt, answering }: { prompt: QuestionView; answering: Answering }) {
  const { questions } = prompt;
  const [chosen, setChosen] = useState<readonly Chosen[]>(() => questions.map(() => NOTHING));
  // The question that the number keys are for.
  const [current, setCurrent] = useState(0);
  const unanswered = firstUnanswered(questions, chosen);
  const complete = unanswered === -1 && questions.length > 0;
  const set = (index: number, next: Chosen) => {
    const all = questions.map((_, at) => (at === index ? next : (chosen[at] ?? NOTHING)));
    setChosen(all);
    return all;
  };
  const submit = () => {
    if (complete) answering.send({ answer: 'choices', choices: answersOf(questions, chosen) });
    else setCurrent(unanswered);
  };
  const pressNumber = (number: number) => {
    const question = questions[current];
    const option = question?.options[number - 1];
    if (question === undefined || option === undefined) return;
    const all = set(current, choose(question, chosen[current] ?? NOTHING, option.label));
    // If several options are allowed, the next number may be for the same question; Enter moves on.
    const next = firstUnanswered(questions, all);
    if (!question.multiSelect && next !== -1) setCurrent(next);
  };
  useKeys({ Enter: submit, ...numberKeys(pressNumber) });
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      {questions.map((question, index) => (
        <QuestionFields
          // biome-ignore lint/suspicious/noArrayIndexKey: a form does not change, and a model may ask the same twice
          key={index}
          question={question}
          isCurrent={index === current}
          onFocus={() => setCurrent(index)}
          chosen={chosen[index] ?? NOTHING}
          onChange={(next) => set(index, next)}
        />
      ))}
      {questions.length === 0 && <p className="faint">This form has no questions that can be shown.</p>}
      <div className="prompt-actions">
        <ActionButton answering={answering} look="primary" shortcut="↵" disabled={!complete}>
          Answer
        </ActionButton>
        <ActionButton
          answering={answering}
          look="quiet"
          onPress={() => answering.send({ answer: 'decline' })}
        >
          Leave it unanswered
        </ActionButton>
      </div>
    </form>
  );
}

function numberKeys(press: (number: number) => void): Record<string, () => void> {
  return Object.fromEntries(
    [1, 2, 3, 4, 5, 6, 7, 8, 9].map((number) => [String(number), () => press(number)]),
  );
}

function QuestionFields({
  question,
  isCurrent,
  onFocus,
  chosen,
  onChange,
}: {
  question: Question;
  isCurrent: boolean;
  onFocus: () => void;
  chosen: Chosen;
  onChange: (next: Chosen) => void;
}) {
  const group = useId();
  const type = question.multiSelect ? 'checkbox' : 'radio';
  return (
    <fieldset className="question" data-current={isCurrent} onFocus={onFocus}>
      <legend>
        {question.header !== '' && <span className="tag">{question.header}</span>} {question.question}
        {question.multiSelect && <span className="faint"> (any number)</span>}
      </legend>
      {question.options.map(({ label, description }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: options do not move, and a model may give one twice
        <label key={index} className="option">
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
          {index < 9 && <Key name={String(index + 1)} />}
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
