import { expect, test } from 'vitest';
import { environmentFor } from '../../../../../src/entry/compat/options/official-environment.js';

const host = { PATH: '/bin', SECRET: 'x', NODE_OPTIONS: '--inspect', DEBUG: '*' };

test('is that of this process without the variables meant for the host', () => {
  expect(environmentFor({}, host)).toEqual({
    PATH: '/bin',
    SECRET: 'x',
    CLAUDE_CODE_ENTRYPOINT: 'sdk-ts',
    CLAUDE_AGENT_SDK_VERSION: expect.any(String),
    CLAUDE_CODE_SDK_READS_SESSION_STATE: '1',
  });
});

test('is replaced by the option, whose entry point is kept', () => {
  const env = environmentFor({ env: { A: '1', CLAUDE_CODE_ENTRYPOINT: 'mine' } }, host);
  expect(env).toMatchObject({ A: '1', CLAUDE_CODE_ENTRYPOINT: 'mine' });
  expect(env).not.toHaveProperty('SECRET');
});

test('carries the options that are variables', () => {
  const toolConfig = { askUserQuestion: { previewFormat: 'html' as const } };
  expect(environmentFor({ toolConfig, enableFileCheckpointing: true, warm: true }, host)).toMatchObject({
    CLAUDE_CODE_QUESTION_PREVIEW_FORMAT: 'html',
    CLAUDE_CODE_ENABLE_SDK_FILE_CHECKPOINTING: 'true',
    CLAUDE_CODE_SDK_READS_STARTUP_MARKS: '1',
  });
});
