// What the CLIs of the checker do: "run <id> <ms>" is written down with the time, then takes so long.
import { appendFileSync } from 'node:fs';
import { onUser, say, wait } from '../../../dist/testing.js';

const { CHECKER_RAN = '' } = process.env;

export const scenario = [
  onUser(
    undefined,
    (text) => {
      const [, id = '', ms = '0'] = /run (\S+) (\d+)/.exec(text) ?? [];
      // Now, not as a step: messages that became one turn have all begun.
      appendFileSync(CHECKER_RAN, `${id} ${process.pid} ${Date.now()}\n`);
      return [wait(Number(ms)), say(`ran ${id}`)];
    },
    { times: 'any' },
  ),
];
