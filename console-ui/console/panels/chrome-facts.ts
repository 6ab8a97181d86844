import type { ChromeView } from '../../../src/entry/remote/contract.js';

/** What the CLI says about the Chrome extension; not everything that is missing is unreported. */
export function chromeFact(view: ChromeView, key: keyof ChromeView): string {
  const value = view[key];
  if (value === true) return 'yes';
  if (value === false) return 'no';
  if (value !== null && value !== undefined) return String(value);
  // A CLI that reports one of the three reports all; the user may not have chosen this one.
  if (key === 'enabled' && view.installed !== null) return 'not chosen';
  if (key === 'mcpServerStatus') return 'none';
  if (key === 'extensionVersion') return view.installed === false ? 'none' : 'unknown';
  return 'not reported by this CLI';
}
