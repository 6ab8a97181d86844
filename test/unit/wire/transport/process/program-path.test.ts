import { expect, test } from 'vitest';
import { programInPath, windowsProgram } from '../../../../../src/wire/transport/process/program-path.js';
import { homeOf } from '../../../../../src/wire/transport/process/system.js';
import { fakeSystem } from '../../../host/cli/options/fake-system.js';

const git = { text: 'MZ' };

test('on Windows a program gets its full path, and is never taken from the working folder', () => {
  const files = { 'C:\\work\\git.exe': git, 'C:\\Git\\cmd\\git.exe': git };
  const env = { Path: '.;C:\\none;C:\\Git\\cmd' };
  expect(programInPath('git', fakeSystem({ platform: 'win32', files, env }))).toBe('C:\\Git\\cmd\\git.exe');
});

test('on Windows a program that is only in the working folder is not found', () => {
  const system = fakeSystem({ platform: 'win32', files: { 'C:\\work\\git.exe': git }, env: { Path: '.' } });
  expect(programInPath('git', system)).toBeUndefined();
});

test('other systems look up programs themselves', () => {
  expect(programInPath('git', fakeSystem({ platform: 'darwin' }))).toBe('git');
});

test('on Windows system programs are in the folder of Windows, whatever the case of the variable', () => {
  expect(windowsProgram('taskkill', { SYSTEMROOT: 'D:\\Win' })).toBe('D:\\Win\\System32\\taskkill.exe');
  expect(windowsProgram('taskkill', {})).toBe('C:\\Windows\\System32\\taskkill.exe');
});

test('the home folder is in another variable on Windows', () => {
  const env = { HOME: '/c/Users/me', UserProfile: 'C:\\Users\\me' };
  expect(homeOf(env, 'win32')).toBe('C:\\Users\\me');
  expect(homeOf(env, 'darwin')).toBe('/c/Users/me');
});
