// Internal parts are not public.
import type * as sdk from 'coxswain';
import { CliEndedError, CoxswainError, OptionError, openSession } from 'coxswain';

await using session = await openSession();
// @ts-expect-error sessions are opened, not made
new (session.constructor as typeof sdk.Session)({});
// @ts-expect-error errors are ours to make
new OptionError('a', 'b');
// @ts-expect-error errors are ours to make
new CoxswainError('CLI_ENDED', 'x');
const error: unknown = undefined;
if (error instanceof CliEndedError) error.exitCode?.toFixed();
// @ts-expect-error no second argument: clocks are for our own tests
await openSession({}, { clock: undefined });
await openSession({
  onPermission: (prompt) => {
    // @ts-expect-error only the session lets prompts expire
    prompt.expire('late');
    // @ts-expect-error only the session withdraws prompts
    prompt.withdraw();
    return prompt.deny('no');
  },
});
export type Names = [
  // @ts-expect-error
  sdk.SessionDeps,
  // @ts-expect-error
  sdk.How,
  // @ts-expect-error
  sdk.Served,
  // @ts-expect-error
  sdk.Choice,
  // @ts-expect-error
  sdk.End,
  // @ts-expect-error
  sdk.Receipt,
  // @ts-expect-error
  sdk.Clock,
  // @ts-expect-error
  sdk.Cancellation,
];
