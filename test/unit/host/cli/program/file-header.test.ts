import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HEADER_BYTES, readHeader } from '../../../../../src/host/cli/program/file-header.js';
import { elf } from '../options/fake-system.js';

const text = (content: string) => new TextEncoder().encode(content);

test('reads the architecture and the loader of a Linux program', () => {
  expect(readHeader(elf(62, '/lib64/ld-linux-x86-64.so.2'))).toEqual({
    format: 'elf',
    arch: 'x64',
    loader: '/lib64/ld-linux-x86-64.so.2',
  });
  expect(readHeader(elf(183))).toEqual({ format: 'elf', arch: 'arm64', loader: undefined });
  expect(readHeader(elf(9999))).toMatchObject({ arch: 'machine 9999' });
});

test.runIf(process.platform === 'linux')('reads the header of the Node that runs this test', () => {
  const header = readHeader(readFileSync(process.execPath).subarray(0, HEADER_BYTES));
  expect(header).toMatchObject({ format: 'elf', arch: process.arch });
});

test('distinguishes programs of other systems from scripts', () => {
  expect(readHeader(new Uint8Array([0xcf, 0xfa, 0xed, 0xfe, 0]))).toEqual({ format: 'mach-o' });
  expect(readHeader(text('MZ…'))).toEqual({ format: 'windows' });
  expect(readHeader(text('echo hi'))).toEqual({ format: 'unknown' });
  expect(readHeader(text('#!\nfoo'))).toEqual({ format: 'unknown' });
});

test('reads the first line of a script', () => {
  expect(readHeader(text('#!/usr/bin/env node\nx'))).toEqual({
    format: 'script',
    interpreter: '/usr/bin/env',
    argument: 'node',
  });
  expect(readHeader(text('#! /bin/sh -e  '))).toEqual({
    format: 'script',
    interpreter: '/bin/sh',
    argument: '-e',
  });
});

test('never throws, whatever the file contains', () => {
  const magic = fc.constantFrom<number[]>([0x7f, 0x45, 0x4c, 0x46, 2, 1], [0x23, 0x21], [0x4d, 0x5a], []);
  fc.assert(
    fc.property(magic, fc.uint8Array({ maxLength: 300 }), (start, rest) => {
      expect(readHeader(new Uint8Array([...start, ...rest]))).toHaveProperty('format');
    }),
  );
});
