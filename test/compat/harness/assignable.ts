import { readFileSync } from 'node:fs';
import ts from 'typescript';
import { OFFICIAL, OURS, programBesideOfficial } from '../../../scripts/lib/beside-official.mjs';

/** What we give to programs, what programs give to us, or what only the original declares. */
export type Direction = 'given to programs' | 'taken from programs' | 'not declared';

/** An incompatible declaration, with the compiler's message. */
export interface Misfit {
  readonly name: string;
  readonly direction: Direction;
  readonly why: string;
}

/** An intended incompatibility, with its reason. */
export interface AcceptedMisfit {
  readonly names: readonly string[];
  readonly direction: Direction;
  /** The members at fault: without them it must be compatible. */
  readonly without?: readonly string[];
  readonly reason: string;
}

/** What is checked: names of values and types that both declare. */
export interface Claims {
  readonly values: readonly string[];
  readonly types: readonly string[];
}

const accepted: readonly AcceptedMisfit[] = JSON.parse(
  readFileSync(new URL('../accepted-type-differences.json', import.meta.url), 'utf8'),
);

/** The accepted incompatibilities. */
export const acceptedMisfits = accepted.filter(({ direction }) => direction !== 'not declared');

/** The paths whose members need not be declared. */
export const acceptedGaps: readonly string[] = accepted
  .filter(({ direction }) => direction === 'not declared')
  .flatMap(({ names }) => names);

/** Lets the compiler report which of the claimed names are incompatible with the official declarations. */
export function misfits(claims: Claims): readonly Misfit[] {
  const checks = [
    ...claims.values.map((name) => check(name, 'given to programs', 'typeof ')),
    ...claims.types.map((name) => check(name, 'given to programs', '')),
    ...claims.types.map((name) => check(name, 'taken from programs', '')),
    ...acceptedMisfits.flatMap(({ names, direction, without = [] }) =>
      without.length === 0 ? [] : names.map((name) => checkWithout(name, direction, without)),
    ),
  ];
  const lines = [...HEAD, ...checks.map(({ line }) => line)];
  return complaints(lines.join('\n')).map(({ line, why }) => {
    const { name, direction } = checks[line - HEAD.length] ?? {
      name: lines[line] ?? '',
      direction: 'given to programs',
    };
    return { name, direction, why };
  });
}

/** A line that the compiler refuses, with its message. */
export interface Complaint {
  readonly line: number;
  readonly why: string;
}

/** What the compiler reports about a program next to the official package; `installs` are the user's packages. */
export function complaints(text: string, installs: readonly string[] = []): readonly Complaint[] {
  const { program, source } = programBesideOfficial(text, installs);
  const found = [...program.getSyntacticDiagnostics(source), ...program.getSemanticDiagnostics(source)];
  return found.map(({ start = 0, messageText }) => ({
    line: source?.getLineAndCharacterOfPosition(start).line ?? 0,
    why: ts.flattenDiagnosticMessageText(messageText, '\n'),
  }));
}

const HEAD = [
  `import type * as Official from ${JSON.stringify(OFFICIAL)};`,
  `import type * as Ours from ${JSON.stringify(OURS)};`,
  'declare function value<T>(): T;',
];

/** A type that needs a parameter is compared with schemas of both versions of zod. */
const FOR_INSTANCE: Readonly<Record<string, (type: string) => string>> = {
  InferShape: (type) =>
    `[${type}<{ a: import('zod').ZodString; b: import('zod').ZodOptional<import('zod').ZodNumber> }>, ` +
    `${type}<{ a: import('zod/v3').ZodString; b: import('zod/v3').ZodOptional<import('zod/v3').ZodNumber> }>]`,
};

function check(name: string, direction: Direction, prefix: string) {
  const [to, from] = direction === 'given to programs' ? ['Official', 'Ours'] : ['Ours', 'Official'];
  const type = (side: string) => {
    const plain = `${prefix}${side}.${name}`;
    return FOR_INSTANCE[name]?.(plain) ?? plain;
  };
  const line = `{ const target: ${type(to)} = value<${type(from)}>(); void target; }`;
  return { name, direction, line };
}

/** The same check without some members; remaining incompatibilities get a separate name. */
function checkWithout(name: string, direction: Direction, without: readonly string[]) {
  const { line } = check(name, direction, '');
  const members = without.map((member) => `'${member}'`).join(' | ');
  const parts = line.replaceAll(
    new RegExp(`(?:Official|Ours)\\.${name}`, 'g'),
    (type) => `Omit<${type}, ${members}>`,
  );
  return { name: `${name} without ${without.join(', ')}`, direction, line: parts };
}
