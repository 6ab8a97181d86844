import type { ReactNode } from 'react';
import type { SupportView } from '../../../src/entry/remote/contract.js';
import { useConsole } from '../store/context.js';

const OWNERS_ONLY = 'Your key can view servers, not change them.';

/** The rights of this page's key come before the CLI's capabilities. */
export function useMayChange(): (support: SupportView) => SupportView {
  const isOwner = useConsole(({ hello }) => hello?.role === 'owner');
  return (support) => (isOwner ? support : { how: 'no', reason: OWNERS_ONLY });
}

/** A button for an action that may be unavailable here; {@link Reasons} with the same id says why. */
export function SupportButton({
  support,
  reasons,
  disabled,
  children,
  ...button
}: {
  support: SupportView | undefined;
  /** The id of the reasons. */
  reasons: string;
  disabled: boolean;
  children: ReactNode;
  className?: string;
  'data-focus'?: string;
  'aria-expanded'?: boolean;
  onClick: () => void;
}) {
  const isOut = support?.how === 'no';
  return (
    <button
      type="button"
      className="small"
      {...button}
      disabled={disabled || isOut}
      {...(isOut ? { 'aria-describedby': reasons } : {})}
    >
      {children}
    </button>
  );
}

/** Why some actions are unavailable, each reason once. */
export function Reasons({ id, of }: { id: string; of: readonly (SupportView | undefined)[] }) {
  const told = of.flatMap((support) =>
    support?.how === 'no' ? [support.reason ?? 'Not supported by this CLI.'] : [],
  );
  if (told.length === 0) return null;
  return (
    <div id={id}>
      {[...new Set(told)].map((reason) => (
        <p key={reason} className="faint">
          {reason}
        </p>
      ))}
    </div>
  );
}
