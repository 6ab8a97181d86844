import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import type {
  CliAnswer,
  CliRequestBody,
  HookInput,
  HookOutput,
  HostAnswer,
  HostMessage,
  HostRequestParams,
  KnownMessage,
  Message,
} from '../../../../../src/wire/protocol/catalog/types.js';
import {
  cliRequestSchemas,
  hookSchemas,
  hostRequestSchemas,
  messageSchemas,
} from '../../../../../src/wire/protocol/schemas.js';

function requestSchemas(): [string, z.ZodType][] {
  return [...Object.entries(hostRequestSchemas), ...Object.entries(cliRequestSchemas)].flatMap(
    ([name, { params, answer }]) => [
      [`${name} params`, params],
      [`${name} answer`, answer],
    ],
  );
}

function everySchema(): [string, z.ZodType][] {
  const hooks = Object.entries(hookSchemas).flatMap(([name, { input, output }]): [string, z.ZodType][] => [
    [`${name} input`, input],
    [`${name} output`, output],
  ]);
  return [...requestSchemas(), ...Object.entries(messageSchemas), ...hooks];
}

describe('the schemas', () => {
  it('describe no object, at any depth, that drops or refuses unknown keys', () => {
    const schemas = everySchema();
    expect(schemas.length).toBeGreaterThan(300);
    expect(schemas.flatMap(([name, schema]) => closedObjects(schema, name))).toEqual([]);
  });

  it('keep unknown keys at every depth', () => {
    const answer = { mcpServers: [{ name: 'a', status: 'connected', novelty: { deep: [1] } }], later: true };
    expect(hostRequestSchemas.mcp_status.answer.parse(answer)).toEqual(answer);
  });

  it('keep unknown words and kinds', () => {
    const event = { type: 'content_block_delta', index: 0, delta: { type: 'hologram_delta', data: 1 } };
    const message = { type: 'stream_event', event, parent_tool_use_id: null, uuid: 'u', session_id: 's' };
    expect(messageSchemas.stream_event.parse(message)).toEqual(message);
  });

  it('refuse an invalid async hook answer, and accept an empty answer', () => {
    expect(hookSchemas.Stop.output.safeParse({}).success).toBe(true);
    expect(hookSchemas.Stop.output.safeParse({ continue: 'no' }).success).toBe(false);
    const mismatched = { hookSpecificOutput: { hookEventName: 'PreToolUse' } };
    expect(hookSchemas.Stop.output.safeParse(mismatched).success).toBe(false);
  });
});

describe('the types', () => {
  it('name the fields of a request and of its answer', () => {
    expectTypeOf<HostRequestParams<'set_permission_mode'>['mode']>().toEqualTypeOf<
      'default' | 'acceptEdits' | 'bypassPermissions' | 'plan' | 'dontAsk' | 'auto'
    >();
    expectTypeOf<HostAnswer<'cancel_async_message'>['cancelled']>().toBeBoolean();
    expectTypeOf<CliRequestBody<'can_use_tool'>['subtype']>().toEqualTypeOf<'can_use_tool'>();
    expectTypeOf<CliRequestBody<'can_use_tool'>['tool_name']>().toBeString();
    expectTypeOf<CliAnswer<'elicitation'>['action']>().toEqualTypeOf<'accept' | 'decline' | 'cancel'>();
    expectTypeOf<Message<'system/init'>['tools']>().toEqualTypeOf<string[]>();
    expectTypeOf<HostMessage<'user'>['type']>().toEqualTypeOf<'user'>();
    expectTypeOf<HookInput<'Stop'>['stop_hook_active']>().toBeBoolean();
  });

  it('make a misspelt parameter a compile error', () => {
    const right: HostRequestParams<'rewind_files'> = { user_message_id: 'u', dry_run: true };
    // @ts-expect-error the wire says dry_run
    const wrong: HostRequestParams<'rewind_files'> = { user_message_id: 'u', dryRun: true };
    // @ts-expect-error the wire says mode
    const missing: HostRequestParams<'set_permission_mode'> = { permission_mode: 'plan' };
    expect([right, wrong, missing]).toHaveLength(3);
  });

  it('narrow a message by its type and its content by its kind', () => {
    const texts = (message: KnownMessage): string[] => {
      if (message.type !== 'assistant') return [];
      return message.message.content.map((block) => (block.type === 'text' ? block.text : block.type));
    };
    const usage = { input_tokens: 1, output_tokens: 1 };
    const message = messageSchemas.assistant.parse({
      type: 'assistant',
      message: {
        id: 'm',
        type: 'message',
        role: 'assistant',
        model: 'x',
        content: [
          { type: 'text', text: 'hi' },
          { type: 'hologram', data: 1 },
        ],
        stop_reason: null,
        stop_sequence: null,
        usage,
      },
      parent_tool_use_id: null,
      uuid: 'u',
      session_id: 's',
    });
    expect(texts(message)).toEqual(['hi', 'hologram']);
  });

  it('give each hook event its own answer', () => {
    const answer: HookOutput<'PreToolUse'> = {
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny' },
    };
    expect(hookSchemas.PreToolUse.output.parse(answer)).toEqual(answer);
  });
});

function closedObjects(schema: z.core.$ZodType, path: string): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return closedObjects(schema.def.innerType, path);
  }
  if (schema instanceof z.ZodArray) return closedObjects(schema.element, `${path}[]`);
  if (schema instanceof z.ZodRecord) return closedObjects(schema.valueType, `${path}{}`);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => closedObjects(option, path));
  if (!(schema instanceof z.ZodObject)) return [];
  const isLoose = schema.def.catchall instanceof z.ZodUnknown;
  const inner = Object.entries(schema.shape).flatMap(([key, value]) =>
    closedObjects(value, `${path}.${key}`),
  );
  return isLoose ? inner : [path, ...inner];
}
