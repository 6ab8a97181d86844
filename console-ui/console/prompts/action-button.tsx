import type { ReactNode } from 'react';
import type { Answering } from './answer.js';
import { Key } from './key.js';

/** A button of a prompt: one that answers it waits while an answer is on its way. Without `onPress` it submits its form. */
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
