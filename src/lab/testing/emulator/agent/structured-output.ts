import type { WireObject } from '../../../../wire/protocol/frames.js';
import type { Scene } from '../cli.js';
import type { ToolOutcome } from '../turns/tool-result.js';

/** The tool through which the model returns a result in the host's format. */
export const STRUCTURED_OUTPUT = 'StructuredOutput';

/** Accepts a valid result; otherwise the model is told what is wrong. */
export async function takeOutput({ cli, turn }: Scene, input: WireObject): Promise<ToolOutcome> {
  // Loaded on demand: zod takes longer to load than everything else.
  const { schemaProblem } = await import('./schema-problem.schemas.js');
  const problem = schemaProblem(cli.state.jsonSchema ?? {}, input);
  if (problem !== undefined) turn.badOutputs += 1;
  if (problem !== undefined) return { content: `The output has another form: ${problem}`, isError: true };
  turn.structuredOutput = input;
  return { content: 'The output was taken.', isError: undefined };
}
