/** Text that the CLI itself added in the user's name, for display; empty if it says nothing new. */
export function cliWords(text: string): string {
  // The end of the turn already says so.
  if (/^\[Request interrupted by user[^\]]*\]$/.test(text.trim())) return '';
  const command = inside(text, 'command-name');
  if (command !== undefined) return [command, inside(text, 'command-args')].filter(Boolean).join(' ');
  const printed = inside(text, 'local-command-stdout') ?? inside(text, 'local-command-stderr');
  return printed ?? text;
}

/** Whether a text has the form in which the CLI records commands that ran without the model. */
export function isCommandText(text: string): boolean {
  return /^\s*<(?:command-name|command-message|local-command-stdout|local-command-stderr|local-command-caveat)>/.test(
    text,
  );
}

function inside(text: string, tag: string): string | undefined {
  const [, content] = new RegExp(`<${tag}>([\\s\\S]*?)</${tag}>`).exec(text) ?? [];
  return content?.trim();
}
