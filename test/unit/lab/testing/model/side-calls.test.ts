import { describe, expect, test } from 'vitest';
import { isSideCall } from '../../../../../src/lab/testing/model/request.js';
import { mainBody, modelRequest } from '../../../../support/model-requests.js';

const yes = () => true;

describe('isSideCall', () => {
  test('a request that offers tools is the conversation, also on a small model', () => {
    expect(isSideCall(modelRequest(mainBody('hi')))).toBe(false);
    expect(isSideCall(modelRequest(mainBody('hi', { model: 'claude-haiku-4-5' })))).toBe(false);
  });

  test.each([[[]], [undefined]])('a request of a CLI with tools %j is a side call', (tools) => {
    expect(isSideCall(modelRequest(mainBody('Warmup', { tools })))).toBe(true);
  });

  test('a warm-up is a side call also where it offers tools', () => {
    expect(isSideCall(modelRequest(mainBody('Warmup')))).toBe(true);
    expect(isSideCall(modelRequest(mainBody('Warmup, please')))).toBe(false);
  });

  test('a request for one token is a probe, whatever it offers', () => {
    expect(isSideCall(modelRequest(mainBody('quota', { max_tokens: 1 })), yes)).toBe(true);
  });

  test('a request without tools is the conversation when the script waits for its text', () => {
    expect(isSideCall(modelRequest(mainBody('hi', { tools: [] })), yes)).toBe(false);
  });

  test('a small model without tools is a side call even when its text fits', () => {
    const request = modelRequest(mainBody('hi', { tools: [], model: 'claude-haiku-4-5' }));
    expect(isSideCall(request, yes)).toBe(true);
  });

  test('a client that is no CLI has no side calls', () => {
    expect(isSideCall(modelRequest(mainBody('hi', { tools: [], metadata: undefined })))).toBe(false);
  });
});
