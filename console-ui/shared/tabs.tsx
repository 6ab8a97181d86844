import { type KeyboardEvent, type ReactNode, useRef } from 'react';
import './tabs.css';

/** A tab. */
export interface Tab<Id extends string> {
  readonly id: Id;
  readonly title: ReactNode;
}

/** The props of {@link Tabs}. */
export interface TabsProps<Id extends string> {
  readonly label: string;
  readonly tabs: readonly Tab<Id>[];
  readonly current: Id;
  readonly onChange: (id: Id) => void;
  /** The id of the element that the tabs change. */
  readonly controls: string;
}

/** A row of tabs with arrow key navigation. */
export function Tabs<Id extends string>({ label, tabs, current, onChange, controls }: TabsProps<Id>) {
  const list = useRef<HTMLDivElement>(null);
  const onKeyDown = (event: KeyboardEvent) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const shown = [...(list.current?.querySelectorAll<HTMLElement>('[role=tab]') ?? [])].filter(
      ({ offsetParent }) => offsetParent !== null,
    );
    const at = shown.findIndex((tab) => tab.matches(':focus'));
    const next = shown[(at + step + shown.length) % shown.length];
    event.preventDefault();
    next?.focus();
    next?.click();
  };
  return (
    <div ref={list} role="tablist" aria-label={label} className="wire-tabs" onKeyDown={onKeyDown}>
      {tabs.map(({ id, title }) => (
        <button
          key={id}
          type="button"
          role="tab"
          id={`${controls}-tab-${id}`}
          data-tab={id}
          aria-selected={id === current}
          aria-controls={controls}
          tabIndex={id === current ? 0 : -1}
          onClick={() => onChange(id)}
        >
          {title}
        </button>
      ))}
    </div>
  );
}
