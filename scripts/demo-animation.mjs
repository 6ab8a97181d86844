// Plays the demo in a terminal and writes it as an animated image: docs/images/demo.svg. Needs `script` of util-linux.
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { demoPicture } from './lib/pages/demo-picture.mjs';

/** The typed text, and the words that it answers. */
const TYPED = [
  [/your choice/, 'a1\n'],
  [/your own words/, '2\n'],
];

writeFileSync('docs/images/demo.svg', demoPicture(await playDemo()));

/** The text as it arrives: pairs of seconds and characters. */
function playDemo() {
  const child = spawn('script', ['-qec', `${process.execPath} dist/command.js demo`, '/dev/null'], {
    env: { PATH: process.env.PATH, TERM: 'xterm-256color', LANG: 'C.UTF-8' },
  });
  const [pieces, left, begun] = [[], [...TYPED], performance.now()];
  child.stdout.setEncoding('utf8').on('data', (text) => {
    pieces.push([(performance.now() - begun) / 1_000, text]);
    if (left[0]?.[0].test(text) !== true) return;
    const [, answer] = left.shift();
    setTimeout(() => child.stdin.write(answer), 1_200);
  });
  return new Promise((resolve) => child.once('close', () => resolve(pieces)));
}
