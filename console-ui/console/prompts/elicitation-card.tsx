import { useId, useState } from 'react';
import type { ElicitationView } from '../../../src/entry/remote/contract.js';
import { SafeLink } from '../conversation/markdown.js';
import { ActionButton } from './action-button.js';
import type { Answering } from './answer.js';
import { defaultsOf, type Field, type Filled, fieldsOf, readFilled } from './elicitation-fields.js';
import { useKeys } from './use-keys.js';

/** An MCP server requests something: a form to fill in, or a page to visit. */
export function ElicitationCard({ prompt, answering }: { prompt: ElicitationView; answering: Answering }) {
  const fields = fieldsOf(prompt.schema, prompt.propertyOrder);
  const [filled, setFilled] = useState<Filled>(() => defaultsOf(fields));
  const [tried, setTried] = useState(false);
  const { content, problems } = readFilled(fields, filled);
  const accept = () => {
    setTried(true);
    if (prompt.mode === 'url') answering.send({ answer: 'accept' });
    else if (Object.keys(problems).length === 0) answering.send({ answer: 'accept', content });
  };
  const decline = () => answering.send({ answer: 'decline' });
  useKeys({ a: accept, d: decline });
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        accept();
      }}
    >
      <p>{prompt.message}</p>
      {prompt.url !== undefined && (
        <p>
          <SafeLink href={prompt.url}>{prompt.url}</SafeLink>
        </p>
      )}
      {fields.map((field) => (
        <FormField
          key={field.name}
          field={field}
          value={filled[field.name]}
          problem={tried ? problems[field.name] : undefined}
          onChange={(value) => setFilled({ ...filled, [field.name]: value })}
        />
      ))}
      <div className="prompt-actions">
        <ActionButton answering={answering} look="primary" shortcut="a">
          {prompt.mode === 'url' ? 'Done there' : 'Send'}
        </ActionButton>
        <ActionButton answering={answering} look="danger" shortcut="d" onPress={decline}>
          Decline
        </ActionButton>
        <ActionButton answering={answering} look="quiet" onPress={() => answering.send({ answer: 'cancel' })}>
          Cancel
        </ActionButton>
      </div>
    </form>
  );
}

interface FieldProps {
  readonly field: Field;
  readonly value: Filled[string] | undefined;
  readonly problem: string | undefined;
  readonly onChange: (value: Filled[string]) => void;
}

function FormField(props: FieldProps) {
  const { field, problem } = props;
  const id = useId();
  const caption = (
    <span>
      {field.label}
      {field.required && <span className="faint"> (required)</span>}
      {field.description !== '' && <span className="faint"> {field.description}</span>}
    </span>
  );
  const wrong = problem !== undefined && <span className="problem">{problem}</span>;
  if (field.kind === 'choices')
    return (
      <fieldset className="question">
        <legend>{caption}</legend>
        <Choices {...props} />
        {wrong}
      </fieldset>
    );
  return (
    <div className={field.kind === 'boolean' ? 'form-field option' : 'form-field'}>
      <label htmlFor={id}>{caption}</label>
      <Control {...props} id={id} />
      {wrong}
    </div>
  );
}

function Control({ field, value, problem, onChange, id }: FieldProps & { readonly id: string }) {
  if (field.kind === 'boolean')
    return (
      <input
        id={id}
        type="checkbox"
        checked={value === true}
        onChange={(event) => onChange(event.target.checked)}
      />
    );
  const text = typeof value === 'string' ? value : '';
  if (field.kind === 'choice')
    return (
      <select
        id={id}
        value={text}
        aria-invalid={problem !== undefined}
        onChange={(event) => onChange(event.target.value)}
      >
        <option value="">Choose…</option>
        {field.options.map((option) => (
          <option key={option.value} value={option.value}>
            {option.label}
          </option>
        ))}
      </select>
    );
  return (
    <input
      id={id}
      type={inputType(field)}
      value={text}
      step={field.schema.type === 'integer' ? 1 : 'any'}
      aria-invalid={problem !== undefined}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

function Choices({ field, value, onChange }: FieldProps) {
  const chosen = Array.isArray(value) ? value : [];
  return field.options.map((option) => (
    <label key={option.value} className="option">
      <input
        type="checkbox"
        checked={chosen.includes(option.value)}
        onChange={(event) =>
          onChange(
            event.target.checked ? [...chosen, option.value] : chosen.filter((each) => each !== option.value),
          )
        }
      />
      <span>{option.label}</span>
    </label>
  ));
}

function inputType({ kind, format }: Field): string {
  if (kind === 'number') return 'number';
  return INPUT_TYPES.get(format ?? '') ?? 'text';
}

const INPUT_TYPES: ReadonlyMap<string, string> = new Map([
  ['email', 'email'],
  ['uri', 'url'],
  ['date', 'date'],
  ['date-time', 'datetime-local'],
]);
