/** The flags that a CLI's help lists: those that begin an entry. Descriptions also mention flags of other commands. */
export function flagsInHelp(help: string): readonly string[] {
  const [options = ''] = help.split(/^Commands:/m);
  const terms = [...options.matchAll(/^ {2}(?=-)(.*?)(?: {2,}|$)/gm)].map(([, term = '']) => term);
  const flags = terms.flatMap((term) => [...term.matchAll(/(?<![\w-])--[A-Za-z][\w-]*/g)]);
  return [...new Set(flags.map(([flag]) => flag))].sort();
}
