import { useEffect, useState } from 'react';

/** The props of {@link CopyButton}; a text that is expensive to create can be a function. */
export interface CopyButtonProps {
  readonly text: string | (() => string);
  readonly label?: string | undefined;
  readonly className?: string | undefined;
}

/** Copies a text, and confirms it for a moment. */
export function CopyButton({ text, label = 'Copy', className }: CopyButtonProps) {
  const [word, setWord] = useState<string | undefined>(undefined);
  useEffect(() => {
    if (word === undefined) return;
    const timer = setTimeout(() => setWord(undefined), 1_500);
    return () => clearTimeout(timer);
  }, [word]);
  const copy = () => {
    copyText(typeof text === 'string' ? text : text()).then(
      () => setWord('Copied'),
      () => setWord('Not copied'),
    );
  };
  return (
    <button type="button" className={className} onClick={copy}>
      <span aria-live="polite">{word ?? label}</span>
    </button>
  );
}

async function copyText(text: string): Promise<void> {
  // Some browsers deny clipboard access to pages opened from files.
  if (navigator.clipboard === undefined) copyBySelection(text);
  else await navigator.clipboard.writeText(text).catch(() => copyBySelection(text));
}

function copyBySelection(text: string): void {
  const area = document.createElement('textarea');
  area.value = text;
  area.setAttribute('aria-hidden', 'true');
  document.body.append(area);
  area.select();
  const done = document.execCommand('copy');
  area.remove();
  if (!done) throw new Error('Copying failed.');
}
