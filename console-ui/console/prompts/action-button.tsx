import type { ReactNode } from 'react';
import type { Answering } from './answer.js';
import { Key } from './key.js';

/**
 * A prompt's button: a button that answers is disabled while an answer is in flight. Without `onPress` it
 * submits its form.
 */
export function ActionButton({
  answering,
  look,
  shortcut,
  disabled = false,
  onPress,
  children,
}: {
  answering: Answering;
  look?: 'primary' | 'danger' | 'quiet';
  /** The key that does the same. */
  shortcut?: string;
  disabled?: boolean;
  onPress?: () => void;
  children: ReactNode;
}) {
  return (
    <button
      type={onPress === undefined ? 'submit' : 'button'}
      className={look}
      disabled={disabled || answering.busy}
      onClick={onPress}
    >
      {children} {shortcut !== undefined && <Key name={shortcut} />}
    </button>
  );
}
