// One measurement in a separate process: node bench/measure.mjs '{"host":"raw","measure":"turn", …}'.
// Prints one line of JSON.
import * as measures from './lib/measures.mjs';

const wish = JSON.parse(process.argv[2]);
const measure = new Map(Object.entries(measures)).get(wish.measure);
const load = () => import('./hosts/hosts.mjs').then((all) => all.hosts[wish.host]());
// If loading is measured, nothing may be loaded before.
const open = ['load', 'first'].includes(wish.measure) ? undefined : await load();
const result = await measure({ ...wish, open, load });
process.stdout.write(`${JSON.stringify(result)}\n`, () => process.exit(0));
