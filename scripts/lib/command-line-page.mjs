// docs/reference/command-line.md: every command with its arguments and options, from the definitions that the program uses.
import { NOTICE, page, table } from './markdown.mjs';

/** Builds the page from the list of commands and the meanings of the exit codes. */
export async function commandLinePage(list, exitCodes) {
  const sections = await Promise.all(
    Object.entries(list).map(async ([name, { about, load }]) => {
      // Nothing is run, so the command needs no surroundings.
      const command = (await load())({}, () => {}).description(about);
      return section(command, `coxswain ${name}`, '##');
    }),
  );
  return page(
    '# Command line reference',
    NOTICE,
    INTRODUCTION,
    ...sections.flat(),
    '## Exit codes',
    table(
      ['exit code', 'meaning'],
      Object.entries(exitCodes).map(([code, meaning]) => [code, meaning]),
    ),
    'Source: `src/command/command-list.ts`, the folders next to it and `src/command/exit-codes.ts`.',
  );
}

const INTRODUCTION = `Every command, as \`npx coxswain <command> --help\` prints it. \`cox\` is short for \`coxswain\`. How to use them:
[the command line](../how-to/command-line.md). Every command also has \`-h, --help\`, and \`--debug\` to print the stack trace of an error.`;

function section(command, path, heading) {
  const inner = command.commands.flatMap((each) => section(each, `${path} ${each.name()}`, `${heading}#`));
  return [
    `${heading} \`${path}\``,
    safe(command.description()),
    `\`\`\`sh\n${path} ${command.usage()}\n\`\`\``,
    ...argumentTable(command.registeredArguments),
    ...optionTable(command.options.filter(({ hidden }) => !hidden)),
    ...moreText(command),
    ...inner,
  ];
}

function argumentTable(all) {
  const args = all.filter(({ description }) => description !== '');
  if (args.length === 0) return [];
  return [
    table(
      ['argument', 'meaning'],
      args.map((each) => [`\`${each.name()}\``, described(each)]),
    ),
  ];
}

function optionTable(options) {
  if (options.length === 0) return [];
  return [
    table(
      ['option', 'meaning'],
      options.map((each) => [`\`${each.flags}\``, described(each)]),
    ),
  ];
}

/** What commander appends to a description in the help, too. */
function described({ description, argChoices, defaultValue, defaultValueDescription, mandatory, negate }) {
  const shown =
    defaultValueDescription ?? (defaultValue === undefined ? undefined : JSON.stringify(defaultValue));
  const notes = [
    ...(argChoices === undefined ? [] : [`one of ${argChoices.map((each) => `\`${each}\``).join(', ')}`]),
    ...(shown === undefined || negate || typeof defaultValue === 'boolean' ? [] : [`default: ${shown}`]),
    ...(mandatory ? ['required'] : []),
  ];
  return `${safe(description)}${notes.length === 0 ? '' : ` (${notes.join('; ')})`}`;
}

/** What follows the options in the help. */
function moreText(command) {
  let text = '';
  command.emit('afterHelp', { error: false, command, write: (more) => (text += more) });
  return text.trim() === '' ? [] : [`\`\`\`text\n${text.trim()}\n\`\`\``];
}

/** The site would take `<name>` for an element. */
function safe(text) {
  return text.replaceAll('<', '&lt;');
}
