import fc from 'fast-check';
import type { HostAct, PromptManner } from './host-program.js';
import type { AnswerManner, CliAct, CliPlan, Death } from './numbered-cli.js';

const cliAct: fc.Arbitrary<CliAct> = fc.oneof(
  { weight: 5, arbitrary: fc.constant<CliAct>({ do: 'say' }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constantFrom('noise' as const, 'stray-answer' as const, 'half' as const, 'wait' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('ask' as const), waits: fc.boolean(), withdraws: fc.boolean() }),
  },
);

const death: fc.Arbitrary<Death> = fc.oneof(
  fc.record({
    after: fc.nat(20),
    code: fc.constantFrom(0, 1, 137),
    signal: fc.constant(null),
    half: fc.boolean(),
  }),
  fc.record({
    after: fc.nat(20),
    code: fc.constant(null),
    signal: fc.constantFrom('SIGKILL', 'SIGSEGV', 'SIGTERM'),
    half: fc.boolean(),
  }),
);

const cliPlan: fc.Arbitrary<CliPlan> = fc.record({
  version: fc.constantFrom('2.1.17' as const, '2.1.326' as const),
  turns: fc.array(fc.array(cliAct, { maxLength: 12 }), { minLength: 1, maxLength: 4 }),
  answers: fc.array(fc.constantFrom<AnswerManner>('once', 'twice', 'refused', 'never', 'nonsense'), {
    maxLength: 5,
  }),
  death: fc.option(death, { nil: undefined }),
});

/** Often at once: simultaneous events are where mistakes hide. */
const after = fc.oneof(fc.constant(0), fc.nat(12));
const hostAct: fc.Arbitrary<HostAct> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      after,
      do: fc.constant('send' as const),
      reads: fc.constantFrom('all' as const, 'none' as const, 'late' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      after,
      do: fc.constant('send' as const),
      reads: fc.constant('some' as const),
      leave: fc.integer({ min: 1, max: 8 }),
      throws: fc.boolean(),
    }),
  },
  { weight: 4, arbitrary: fc.record({ after, do: fc.constant('call' as const), aborts: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ after, do: fc.constant('interrupt' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ after, do: fc.constantFrom('close' as const, 'abort' as const, 'kill' as const) }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      after,
      do: fc.constant('jump' as const),
      ms: fc.constantFrom(1, 2_000, 86_400_000),
    }),
  },
);

/** A CLI with its faults, and a host with its own. */
export const plan = fc.record({
  cli: cliPlan,
  reopens: fc.boolean(),
  host: fc.array(hostAct, { minLength: 1, maxLength: 12 }),
  prompts: fc.array(
    fc.constantFrom<PromptManner>('allows', 'denies', 'throws', 'nonsense', 'later', 'never'),
    { maxLength: 6 },
  ),
});

/** A CLI process with a fault in some phase, and an owner that does something at some moment. */
export const processPlan = fc.record({
  fault: fc.record({
    phase: fc.constantFrom('spawn', 'handshake', 'call', 'turn', 'prompt', 'tool', 'closing'),
    run: fc.constantFrom(
      ':',
      'exit 0',
      'kill -s KILL $$',
      'kill -s TERM $$',
      'kill -s STOP $$',
      'saw nothing',
      'echo noise',
      `printf '{"half'; exit 1`,
      'setsid sleep 300 & exit 0',
      'exec sleep 300',
      "trap '' TERM",
    ),
  }),
  end: fc.record({
    how: fc.constantFrom('close', 'abort', 'interrupt', 'kill'),
    afterMs: fc.nat(60),
  }),
});
