// The values that an option takes, written as a type. The checks describe them in words, for error messages.

/** Turns the words of a check into a type where every part has one; other words stay as they are. */
export function typeOf(expected) {
  const text = WORDS.reduce((type, [words, instead]) => type.replaceAll(words, instead), expected);
  return LEFT_OVER.test(text) ? expected : `\`${text}\``;
}

const ITEM = String.raw`(?:'[^']*'(?: \| '[^']*')*|\{[^{}]*\}|\w+)`;

const WORDS = [
  [
    '{ eofMs?, termMs?, killMs? }, each a number, 0 or more',
    '{ eofMs?: number, termMs?: number, killMs?: number }',
  ],
  ['an array, each item a skill name', 'string[]'],
  ['the address of a console server', 'string'],
  [/(keys than )url \(([^()]*)\), (.*), with url$/g, '$1$3, url ($2)'],
  [
    'a plain object, each value an object with description and prompt',
    '{ [name]: { description, prompt, … } }',
  ],
  [/a whole number, or -1|a (?:whole )?number(?: of milliseconds)?(?: above 0|, 0 or more)?/g, 'number'],
  [/a string that is not empty|a string/g, 'string'],
  ['true or false', 'boolean'],
  ['a UUID', 'string'],
  ['an AbortSignal', 'AbortSignal'],
  ['a function', 'function'],
  [/one of ("[\w-]+"(?:, "[\w-]+")*)/g, (_, list) => list.replaceAll('"', "'").replaceAll(', ', ' | ')],
  [
    new RegExp(`an array, each item (${ITEM})`, 'g'),
    (_, item) => (item.includes("'") ? `(${item})[]` : `${item}[]`),
  ],
  [
    /a plain object with no other keys than ((?:\w+ \([^()]*(?:\([^()]*\)[^()]*)*\)(?:, )?)+)/g,
    (_, keys) => `{ ${keys.replaceAll(/(\w+) \(((?:[^()]|\([^()]*\))*)\)/g, '$1?: $2')} }`,
  ],
  ['a plain object, each value string, or null', '{ [name]: string | null }'],
  [/a plain object, each value (string|function)/g, '{ [name]: $1 }'],
  [/a plain object of variables, each string or undefined/g, '{ [name]: string | undefined }'],
  [/a plain object of lists by hook event, each item (\{.*\})/g, '{ [event]: $1[] }'],
  ['a plain object of functions by CLI request', '{ [request]: function }'],
  [/a plain object$/g, 'object'],
  [/, or /g, ' | '],
  // The two keys that are required.
  [/\{ (.*), url\?: string \}/g, '{ url: string, $1 }'],
  ['run?: function', 'run: function'],
];

/** What no type contains: words that were not turned into one. */
const LEFT_OVER = /\b(?:an?|the|each|or|with|of) /;
