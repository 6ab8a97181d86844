import type { WireObject } from '../../../../wire/protocol/frames.js';
import type { Scene } from '../cli.js';
import type { ToolOutcome } from '../turns/tool-result.js';

/** The tool by which the model gives a result in the form that the host asked for. */
export const STRUCTURED_OUTPUT = 'StructuredOutput';

/** Takes the result if it has the form; the model is told otherwise. */
export async function takeOutput({ cli, turn }: Scene, input: WireObject): Promise<ToolOutcome> {
  // Loaded where it is needed: zod takes longer to load than all the rest.
  const { schemaProblem } = await import('./schema-problem.schemas.js');
  const problem = schemaProblem(cli.state.jsonSchema ?? {}, input);
  if (problem !== undefined) turn.badOutputs += 1;
  if (problem !== undefined) return { content: `The output has another form: ${problem}`, isError: true };
  turn.structuredOutput = input;
  return { content: 'The output was taken.', isError: undefined };
}
