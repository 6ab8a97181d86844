// Imports a built entry point in a context with only the language, then runs the given code.
// Needs --experimental-vm-modules. Arguments: the entry point's file, the code; prints the result as JSON.
import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import vm from 'node:vm';

const [file, code] = process.argv.slice(2);
const context = vm.createContext({});
// V8 gives every context a console, as browsers do, but a pure layer must not need it.
vm.runInContext('delete globalThis.console', context);

const modules = new Map();

function load(path) {
  const known = modules.get(path);
  if (known !== undefined) return known;
  const module = new vm.SourceTextModule(readFileSync(path, 'utf8'), { context, identifier: path });
  modules.set(path, module);
  return module;
}

const link = (specifier, from) => {
  if (!specifier.startsWith('.')) throw new Error(`${from.identifier} imports ${specifier}`);
  return load(resolve(dirname(from.identifier), specifier));
};

const entryPoint = load(resolve(file));
await entryPoint.link(link);
await entryPoint.evaluate();
const body = vm.compileFunction(code, ['entryPoint'], { parsingContext: context });
process.stdout.write(JSON.stringify(body(entryPoint.namespace)));
