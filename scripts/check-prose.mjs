// Refuses phrases that read as translated, in the pages for users and contributors, and some of them in code: comments,
// texts and test titles; and names that only we understood. Reports the file, the line and what to write instead.
import { readdirSync, readFileSync, statSync } from 'node:fs';

const PAGES = [
  'README.md',
  'CONTRIBUTING.md',
  'SUPPORT.md',
  'SECURITY.md',
  'ARCHITECTURE.md',
  'CHANGELOG.md',
];
const FOLDERS = ['docs', '.changeset', '.github'];
const SOURCES = ['src', 'console-ui', 'examples', 'test', 'bench', 'scripts'];

/** Refused everywhere. */
const EVERYWHERE = [
  [/\bfor ever\b/, '"forever", or "no limit"'],
  [/\bof one's own\b/, '"your own", or "custom"'],
  [/\bthe one of now\b/, '"the current one"'],
  [/\b(?:CLI|runtime) at hand\b/, '"the current CLI"'],
  [/\bshak(?:e|es|en|ing) hands\b/, '"complete the handshake"'],
  [/\b(?:is|are) held against\b/, '"is verified against"'],
  [/\b(?:go|goes) on behind\b/, '"continue after"'],
  [/\bsecrets taken out\b/, '"with secrets removed"'],
  [/\bWhat to mind\b/, '"Caveats"'],
  [/\b(?:is|are|was|were) told (?:of|by|apart)\b/, '"is reported", "learns of", or "is distinguished"'],
  [/\btells? (?:\w+ )?apart\b/, '"distinguish"'],
  [/\b(?:is|being|was) opened again\b/, '"reopened"'],
  [/\bwithout a word\b/, '"silently"'],
  [/\bof its own making\b/, '"made-up"'],
  [/\bharms (?:nothing|nobody)\b/, '"does no harm"'],
  [/\bwhat became of\b/, '"the outcome of"'],
  [/\bputs? (?:it|them|files) in the place of\b/, '"replaces"'],
  [/\bpieces of messages\b/, '"partial messages"'],
  [/\bOptions of \w+ing\b/, '"Options for"'],
  [/, also (?:when|while|after|across|if|during)\b/, '"even", or "including"'],
  [/\b[Ss]witch(?:es|ed|ing) (?:\w+ ){0,3}(?:on|off)\b/, '"enables", or "disables"'],
  [/\btells? of\b/, '"reports"'],
  [/\ball went well\b/, '"nothing went wrong"'],
  [/\bin mid-turn\b/, '"mid-turn"'],
  [/\band the like\b/, '"such as"'],
  [/\bof some (?:seconds|minutes|hours|days)\b/, '"a few"'],
];

/** Refused in pages. */
const IN_PAGES = [
  [/\bwhoever\b/i, 'who it is, or "anyone who"'],
  [/\banew\b/, '"again", or "new"'],
  [/\bwithout a word\b/, '"silently"'],
  [/\ball the same\b/, '"anyway"'],
  [/\b(?:is|are) told by\b/, '"is reported by"'],
  [/(?<!\bthere )\bis no (?:JSON|object|error|text|file|list|id|array|number)\b/, '"is not"'],
  [/\b(?:was|were|is|are) taken back\b/, '"cancelled", or "withdrawn"'],
  [/\bone after the other\b/, '"one at a time", or "in sequence"'],
  [/\bby (?:itself|themselves)\b/, '"on its own", or "automatically"'],
  [/\b(?:fails?|ends?|settles?|returns?|rejects?|refused) (?:\w+ )?at once\b/, '"immediately"'],
];

/** Identifiers that had a meaning of their own, refused where none is left. */
const IDENTIFIERS = [
  [/\bcallOff(?:[A-Z]\w*)?\b/, 'stopTimer, or cancel'],
  [/\bgoesOn\b/, 'what continues: isPromise, includesEarlier'],
  [/[.#]heard\b/, 'noteActivity, or noteMessage'],
  [/\bshakeHands\b/, 'completeHandshake'],
  [
    /\bfunction (?:textOf|blocksOf)\b/,
    'whose text it is, or use stringIn, contentOf and blocksIn of frames.ts',
  ],
];
const ROOMS = ['src/wire', 'src/host', 'src/entry', 'src/lab', 'src/bridges', 'src/command', 'console-ui'];

const found = [
  ...[...PAGES, ...FOLDERS.flatMap((folder) => filesIn(folder, /\.(?:md|yml)$/))].flatMap((path) =>
    look(path, [...EVERYWHERE, ...IN_PAGES]),
  ),
  ...SOURCES.flatMap((folder) => filesIn(folder, /\.(?:tsx?|mjs)$/))
    .filter((path) => path !== 'scripts/check-prose.mjs')
    .flatMap((path) => look(path, EVERYWHERE)),
  ...ROOMS.flatMap((folder) => filesIn(folder, /\.tsx?$/)).flatMap((path) => look(path, IDENTIFIERS)),
];
for (const line of found) console.error(line);
process.exitCode = found.length === 0 ? 0 : 1;

function filesIn(folder, pattern) {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => `${folder}/${name}`)
    .filter((path) => pattern.test(path) && !path.includes('node_modules') && statSync(path).isFile());
}

function look(path, phrases) {
  return readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line, index) =>
      phrases
        .filter(([phrase]) => phrase.test(line))
        .map(([phrase, instead]) => `${path}:${index + 1}: "${phrase.exec(line)[0]}": write ${instead}.`),
    );
}
