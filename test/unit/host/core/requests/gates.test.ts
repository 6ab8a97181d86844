import { describe, expect, test } from 'vitest';
import { capabilitiesOf } from '../../../../../src/host/cli/capabilities.js';
import { checkRequest, unknownRequest } from '../../../../../src/host/core/requests/gates.js';
import { initializeBody } from '../../../../../src/host/session/opening/initialize.js';

const on = (version: string | undefined) => capabilitiesOf({ version });
const refusal = (body: { subtype: string; [key: string]: unknown }, version: string | undefined) => {
  try {
    checkRequest(body, on(version));
    return undefined;
  } catch (error) {
    return error;
  }
};

describe('checkRequest', () => {
  test('refuses a dry run on 2.0.73, which would really change the files', () => {
    const dry = { subtype: 'rewind_files', user_message_id: 'u', dry_run: true };
    expect(refusal(dry, '2.0.73')).toMatchObject({
      code: 'ENDPOINT_UNSUPPORTED',
      message: /really change the files/,
    });
    expect(refusal(dry, undefined)).toBeDefined();
    expect(refusal(dry, '2.1.17')).toBeUndefined();
    expect(refusal({ subtype: 'rewind_files', user_message_id: 'u' }, '2.0.73')).toBeUndefined();
  });

  test('never sends mcp_set_servers without servers, nor an in-process server to 2.0.73', () => {
    expect(refusal({ subtype: 'mcp_set_servers' }, '2.1.326')).toBeDefined();
    const sdk = { subtype: 'mcp_set_servers', servers: { x: { type: 'sdk', name: 'x' } } };
    expect(refusal(sdk, '2.0.73')).toBeDefined();
    expect(refusal(sdk, '2.1.17')).toBeUndefined();
  });

  test('never sends a second initialize to 2.0.73', () => {
    expect(refusal({ subtype: 'initialize' }, '2.0.73')).toBeDefined();
    expect(refusal({ subtype: 'initialize' }, '2.1.326')).toBeUndefined();
  });

  test('refuses at once what an old CLI would never answer, and names a version that would', () => {
    expect(refusal({ subtype: 'get_context_usage' }, '2.1.17')).toMatchObject({
      message: /get_context_usage was not sent to CLI 2\.1\.17: .* It needs CLI 2\.1\.\d+ or newer/,
    });
    expect(refusal({ subtype: 'get_context_usage' }, '2.1.326')).toBeUndefined();
  });

  test('lets through what a CLI answers with an error', () => {
    expect(refusal({ subtype: 'get_context_usage' }, '2.1.58')).toBeUndefined();
  });

  test('sends no mode that the CLI does not know and would treat as default', () => {
    const mode = (word: string, version: string | undefined) =>
      refusal({ subtype: 'set_permission_mode', mode: word }, version);
    expect(mode('auto', '2.1.17')).toMatchObject({ message: /"auto" is not one of its modes/ });
    expect(mode('nonsense', '2.1.200')).toBeDefined();
    expect(mode('auto', '2.1.200')).toBeUndefined();
    expect(mode('nonsense', '2.1.326')).toBeUndefined();
    expect(mode('plan', undefined)).toBeUndefined();
  });

  test.each(['rewind_files', 'set_max_thinking_tokens', 'mcp_set_servers', 'get_context_usage'])(
    'lets %s through to a CLI of unknown version, which may know it',
    (subtype) => expect(refusal({ subtype, servers: {} }, undefined)).toBeUndefined(),
  );

  test('lets an in-process server through to a CLI of unknown version: an old one answers with an error', () => {
    const servers = { x: { type: 'sdk', name: 'x' } };
    expect(refusal({ subtype: 'mcp_set_servers', servers }, undefined)).toBeUndefined();
  });

  test('never sends to a CLI of unknown version what would end one or be misread', () => {
    expect(refusal({ subtype: 'initialize' }, undefined)).toBeDefined();
    expect(refusal({ subtype: 'mcp_set_servers' }, undefined)).toBeDefined();
    expect(refusal({ subtype: 'set_permission_mode', mode: 'auto' }, undefined)).toBeDefined();
    expect(refusal({ subtype: 'rewind_files', dry_run: true }, undefined)).toMatchObject({
      message: expect.stringContaining('set `version` on the transport'),
    });
  });

  test('lets an unknown name through', () => {
    expect(refusal({ subtype: 'from_the_future' }, '2.0.73')).toBeUndefined();
  });
});

test('a CLI that reports a request as unknown gives the same error as one that would not answer', () => {
  const refused = new Error('Unsupported control request subtype: get_context_usage');
  expect(unknownRequest('get_context_usage', on('2.1.58'), refused)).toMatchObject({
    code: 'ENDPOINT_UNSUPPORTED',
    message: /^get_context_usage is not known to CLI 2\.1\.58\. It needs CLI 2\.1\.\d+ or newer\.$/,
    cause: refused,
  });
  expect(unknownRequest('from_the_future', on('2.1.58'), refused).message).not.toContain('It needs');
});

describe('initializeBody', () => {
  test('leaves out options that were not given, above all the system prompt', () => {
    expect(initializeBody({}, {}, on(undefined))).toEqual({ subtype: 'initialize' });
  });

  test('passes on all given options', () => {
    const agents = { helper: { description: 'd', prompt: 'p' } };
    const hooks = { Stop: [{ hookCallbackIds: ['hook_0'] }] };
    const body = initializeBody(
      { agents, appendSystemPrompt: 'more', title: 't', promptSuggestions: false },
      { hooks, sdkMcpServers: ['clock'], jsonSchema: { type: 'object' } },
      on('2.1.326'),
    );
    expect(body).toEqual({
      subtype: 'initialize',
      agents,
      appendSystemPrompt: 'more',
      title: 't',
      promptSuggestions: false,
      hooks,
      sdkMcpServers: ['clock'],
      jsonSchema: { type: 'object' },
    });
  });

  test('joins a list of system prompts for old CLIs, which ignore a list', () => {
    const prompt = ['one', 'two'];
    expect(initializeBody({ systemPrompt: prompt }, {}, on('2.1.17')).systemPrompt).toBe('one\n\ntwo');
    expect(initializeBody({ systemPrompt: prompt }, {}, on('2.1.326')).systemPrompt).toBe(prompt);
    expect(initializeBody({ systemPrompt: '' }, {}, on('2.0.73')).systemPrompt).toBe('');
  });
});
