const SECRET_NAME = /(?:api_?key|access_?key|secret|token|password|passwd|credential|private_?key|auth)/i;
// Sockets, counts and switches have such names too, and are no secrets.
const HARMLESS = /^(?:\/|\d+$|true$|false$)/;

/** The values of variables that are named like secrets, longest first. */
export function secretVariables(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  const values = Object.entries(env).flatMap(([name, value = '']) =>
    SECRET_NAME.test(name) && value.length >= 8 && !HARMLESS.test(value) ? [value] : [],
  );
  return [...new Set(values)].sort((one, other) => other.length - one.length);
}
