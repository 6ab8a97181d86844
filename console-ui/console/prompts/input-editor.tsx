import { useId, useState } from 'react';
import type { WireObject } from '../../../src/wire/protocol/frames.js';
import { readEdited, type TextFields, textFields } from './edited-input.js';
import { useFocusBack } from './use-focus-back.js';

/** Lets a person edit a tool's input, parameter by parameter. */
export function InputEditor({
  input,
  onDone,
  onCancel,
}: {
  input: WireObject;
  onDone: (input: WireObject) => void;
  onCancel: () => void;
}) {
  const id = useId();
  const form = useFocusBack<HTMLFormElement>();
  const [fields, setFields] = useState<TextFields>(() => textFields(input));
  const { value, problems } = readEdited(input, fields);
  return (
    <form
      ref={form}
      className="input-editor"
      onSubmit={(event) => {
        event.preventDefault();
        if (value !== undefined) onDone(value);
      }}
      onKeyDown={(event) => event.key === 'Escape' && onCancel()}
    >
      {Object.entries(fields).map(([name, text], index) => (
        <div key={name} className="form-field">
          <label htmlFor={`${id}-${name}`}>{name}</label>
          <textarea
            id={`${id}-${name}`}
            // biome-ignore lint/a11y/noAutofocus: the person just asked for this field
            autoFocus={index === 0}
            value={text}
            rows={Math.min(12, text.split('\n').length)}
            aria-invalid={problems[name] !== undefined}
            onChange={(event) => setFields({ ...fields, [name]: event.target.value })}
          />
          {problems[name] !== undefined && <span className="problem">{problems[name]}</span>}
        </div>
      ))}
      <div className="prompt-actions">
        <button type="submit" className="primary" disabled={value === undefined}>
          Allow with these changes
        </button>
        <button type="button" className="quiet" onClick={onCancel}>
          Back
        </button>
      </div>
    </form>
  );
}
