import { PermissionPrompt } from '../../src/host/session/prompts/permission-prompt.js';
import { QuestionPrompt } from '../../src/host/session/prompts/question-prompt.js';
import { Cancellation } from '../../src/wire/peer/cancellation.js';
import type { RequestContext } from '../../src/wire/peer/received-requests.js';
import type { PermissionUpdate } from '../../src/wire/protocol/catalog/shapes/permissions-shapes.schemas.js';
import type { WireObject } from '../../src/wire/protocol/frames.js';
import { requestContext } from './request-context.js';

/** A suggestion as the CLIs send it. */
export const ALWAYS_LS: PermissionUpdate = {
  type: 'addRules',
  rules: [{ toolName: 'Bash', ruleContent: 'ls:*' }],
  behavior: 'allow',
  destination: 'session',
};

/** A permission prompt that can be withdrawn, as the session creates it. */
export function permissionPrompt(fields: WireObject = {}) {
  return withdrawable((context) => {
    const body = { subtype: 'can_use_tool', tool_name: 'Bash', tool_use_id: 't1', input: { command: 'ls' } };
    return new PermissionPrompt({ ...body, ...fields }, context);
  });
}

/** A question prompt that can be withdrawn, as the session creates it. */
export function questionPrompt(questions: readonly WireObject[]) {
  return withdrawable((context) => {
    const body = { subtype: 'can_use_tool', tool_name: 'AskUserQuestion', tool_use_id: 't1' };
    return new QuestionPrompt({ ...body, input: { questions } }, context);
  });
}

function withdrawable<P extends PermissionPrompt | QuestionPrompt>(make: (context: RequestContext) => P) {
  const withdrawal = new Cancellation();
  const prompt = make(requestContext('r1', withdrawal));
  return {
    prompt,
    withdraw: () => {
      prompt.withdraw();
      withdrawal.cancel();
    },
  };
}
