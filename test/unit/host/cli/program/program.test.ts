import { expect, test } from 'vitest';
import { resolveProgram } from '../../../../../src/host/cli/program/program.js';
import { CoxswainError } from '../../../../../src/wire/util/errors.js';
import { elf, type FakeMachine, fakeSystem } from '../options/fake-system.js';

const node = '/opt/node/bin/node';
const files = {
  [node]: { text: elf() },
  '/bin/bun': { text: elf() },
  '/bin/sh': { text: elf() },
  '/usr/bin/env': { text: elf() },
};

function resolve(cli: string, text: string | Uint8Array, options = {}, machine: FakeMachine = {}) {
  const system = fakeSystem({ ...machine, files: { ...files, [cli]: { text }, ...machine.files } });
  return resolveProgram(cli, { searchPath: '/bin', ...options }, system);
}

function codeOf(act: () => unknown): string {
  try {
    act();
  } catch (error) {
    if (error instanceof CoxswainError) return error.code;
  }
  return 'nothing thrown';
}

test('runs a JavaScript CLI with the Node that runs the host', () => {
  expect(resolve('/a/cli.js', 'code')).toEqual({ file: node, prefix: ['/a/cli.js'], cliPath: '/a/cli.js' });
  expect(resolve('/a/cli.mjs', 'code').file).toBe(node);
  expect(resolve('/a/cli.cjs', 'code').file).toBe(node);
});

test('runs it with another program and its arguments if requested', () => {
  const program = resolve('/a/cli.js', 'code', { executable: 'bun', executableArgs: ['--smol'] });
  expect(program).toEqual({ file: '/bin/bun', prefix: ['--smol', '/a/cli.js'], cliPath: '/a/cli.js' });
});

test('recognises a script behind a link and one with a first line for node', () => {
  const linked = { files: { '/a/claude': { link: '/lib/cli.js' }, '/lib/cli.js': { text: 'code' } } };
  expect(resolve('/a/claude', '', {}, linked)).toEqual({
    file: node,
    prefix: ['/a/claude'],
    cliPath: '/a/claude',
  });
  expect(resolve('/a/claude', '#!/usr/bin/env node\n').file).toBe(node);
  expect(resolve('/a/claude', '#!/usr/bin/env -S FOO=1 node --x\n').file).toBe(node);
  expect(resolve('/a/claude', '#!/somewhere/bin/node\n').file).toBe(node);
});

test('runs a native CLI and a script with another interpreter directly', () => {
  expect(resolve('/a/claude', elf())).toEqual({ file: '/a/claude', prefix: [], cliPath: '/a/claude' });
  expect(resolve('/a/claude', '#!/bin/sh\n').file).toBe('/a/claude');
});

test('an Electron host does not use itself as Node', () => {
  const machine = { electron: true, files: { '/bin/node': { text: elf() } } };
  expect(resolve('/a/cli.js', 'code', {}, machine).file).toBe('/bin/node');
});

test.each([
  ['the option executable', '/a/cli.js', 'code', { executable: '/gone/node' }],
  ['a name that PATH does not have', '/a/cli.js', 'code', { executable: 'deno' }],
  ['the first line of a script', '/a/claude', '#!/opt/python\n', {}],
  ['the program behind env', '/a/claude', '#!/usr/bin/env python3\n', {}],
])('a missing interpreter has its own code: %s', (_what, cli, text, options) => {
  expect(codeOf(() => resolve(cli, text, options))).toBe('INTERPRETER_NOT_FOUND');
});
