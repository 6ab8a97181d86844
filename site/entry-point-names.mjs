import { Converter, ReflectionKind } from 'typedoc';

/** A plugin for TypeDoc: modules have the names by which they are imported, and one page each. */
export function load(app) {
  app.converter.on(Converter.EVENT_CREATE_DECLARATION, (_, reflection) => {
    if (!reflection.kindOf(ReflectionKind.Module)) return;
    const name = reflection.name.replace(/^(protocol|compat)-/, '$1/');
    reflection.name = name === 'index' ? 'coxswain' : `coxswain/${name}`;
  });
  // Namespaces are made by the bundler of declarations: nobody can import them by name.
  app.converter.on(Converter.EVENT_RESOLVE_BEGIN, ({ project }) => {
    for (const each of project.getReflectionsByKind(ReflectionKind.Namespace)) project.removeReflection(each);
  });
}
