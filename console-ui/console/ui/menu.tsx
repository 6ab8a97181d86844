import { type KeyboardEvent, type ReactNode, useId, useRef, useState } from 'react';

/** An item of a menu. */
export interface MenuItem {
  readonly name: string;
  readonly onPick: () => void;
  readonly isDanger?: boolean | undefined;
  readonly disabled?: boolean | undefined;
}

/** A button that opens a menu. The menu is in the top layer, so no list clips it; a click outside closes it. */
export function Menu({
  label,
  items,
  className = 'quiet icon',
  children = '⋯',
}: {
  /** The button's accessible name. */
  label: string;
  items: readonly MenuItem[];
  className?: string;
  children?: ReactNode;
}) {
  const button = useRef<HTMLButtonElement>(null);
  const menu = useRef<HTMLDivElement>(null);
  const id = useId();
  const [open, setOpen] = useState(false);
  const first = useRef<'first' | 'last'>('first');
  const show = (from: 'first' | 'last') => {
    first.current = from;
    menu.current?.showPopover();
  };
  const close = () => menu.current?.hidePopover();
  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={open}
        // Tells the browser that a click here is not outside the menu.
        popoverTarget={id}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
          event.preventDefault();
          show(event.key === 'ArrowUp' ? 'last' : 'first');
        }}
      >
        <span aria-hidden="true">{children}</span>
      </button>
      <div
        ref={menu}
        id={id}
        className="menu"
        role="menu"
        aria-label={label}
        popover="auto"
        // The items exist before the menu is shown, and until the browser has moved the focus away.
        onBeforeToggle={({ newState }) => newState === 'open' && setOpen(true)}
        onToggle={({ newState }) => {
          setOpen(newState === 'open');
          if (newState !== 'open' || menu.current === null || button.current === null) return;
          place(menu.current, button.current);
          choices(menu.current)
            .at(first.current === 'first' ? 0 : -1)
            ?.focus();
          first.current = 'first';
        }}
        onKeyDown={(event) => move(event, menu.current, close)}
      >
        {open &&
          items.map(({ name, onPick, isDanger = false, disabled = false }) => (
            <button
              key={name}
              type="button"
              role="menuitem"
              className="quiet"
              tabIndex={-1}
              data-danger={isDanger}
              aria-disabled={disabled}
              onClick={() => {
                if (disabled) return;
                // Return the focus to the button first, because a dialog restores it to there.
                close();
                onPick();
              }}
            >
              {name}
            </button>
          ))}
      </div>
    </>
  );
}

function choices(menu: HTMLElement): readonly HTMLElement[] {
  return [...menu.querySelectorAll<HTMLElement>('[role=menuitem]')];
}

/** The distance of a menu from the edge of the page. */
const EDGE = 4;

/** Below the button, or above it if there is no room. */
function place(menu: HTMLElement, button: HTMLElement): void {
  const at = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = menu;
  const below = at.bottom + height + EDGE <= innerHeight;
  menu.style.left = `${Math.max(EDGE, Math.min(at.left, innerWidth - width - EDGE))}px`;
  menu.style.top = `${Math.max(EDGE, below ? at.bottom : at.top - height)}px`;
}

/** The keys of a menu; the browser handles Escape. */
function move(event: KeyboardEvent, menu: HTMLElement | null, close: () => void): void {
  const all = menu === null ? [] : choices(menu);
  const at = all.indexOf(document.activeElement as HTMLElement);
  if (event.key === 'Tab') {
    close();
    return;
  }
  const next = target(event.key, all, at);
  if (next === undefined) return;
  event.preventDefault();
  next.focus();
}

function target(key: string, all: readonly HTMLElement[], at: number): HTMLElement | undefined {
  if (key === 'ArrowDown') return all[(at + 1) % all.length];
  if (key === 'ArrowUp') return all.at(at <= 0 ? -1 : at - 1);
  if (key === 'Home') return all[0];
  if (key === 'End') return all.at(-1);
  if (key.length !== 1 || key === ' ') return undefined;
  const begins = (each: HTMLElement) => each.textContent?.toLowerCase().startsWith(key.toLowerCase());
  return all.slice(at + 1).find(begins) ?? all.find(begins);
}
