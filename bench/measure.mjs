// One measurement in a process of its own: node bench/measure.mjs '{"host":"raw","measure":"turn", …}'.
// Prints one line of JSON.
import * as measures from './lib/measures.mjs';

const wish = JSON.parse(process.argv[2]);
const measure = new Map(Object.entries(measures)).get(wish.measure);
// What is loaded must not be loaded before it is measured.
const open =
  wish.measure === 'load'
    ? undefined
    : await import('./hosts/hosts.mjs').then((all) => all.hosts[wish.host]());
const result = await measure({ ...wish, open });
process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(0));
