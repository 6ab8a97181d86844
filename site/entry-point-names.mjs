import { Converter, ReflectionKind } from 'typedoc';

/** A plugin for TypeDoc: modules have the names by which they are imported. */
export function load(app) {
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, (_, reflection) => {
    if (!reflection.kindOf(ReflectionKind.Module)) return;
    const name = reflection.name.replace(/^protocol-schemas$/, 'protocol/schemas');
    reflection.name = name === 'index' ? 'coxswain' : `coxswain/${name}`;
  });
}
