/** The parts of a scrubbed environment. */
export interface ScrubbedEnvironmentOptions {
  readonly home: string;
  readonly tmp: string;
  /** The base URL of the model, on 127.0.0.1. */
  readonly modelUrl: string;
  /** Variables to add, or to remove with `undefined`. */
  readonly extra?: Readonly<Record<string, string | undefined>>;
  /** The host's environment, of which only the search path is used (on Windows also the system folders). */
  readonly host?: Readonly<Record<string, string | undefined>>;
  readonly platform?: string;
  /** The version of Node that runs JavaScript CLIs. */
  readonly node?: string;
}

/**
 * The whole environment of a real CLI under test: nothing from the host except its search path, a fake key,
 * the model's address, all other traffic disabled, and before Node 26 proxies that lead nowhere as a second barrier.
 */
export function scrubbedEnvironment({
  home,
  tmp,
  modelUrl,
  extra = {},
  host = process.env,
  platform = process.platform,
  node = process.versions.node,
}: ScrubbedEnvironmentOptions): Readonly<Record<string, string>> {
  const places = platform === 'win32' ? windowsPlaces(home, tmp, host) : { HOME: home, TMPDIR: tmp };
  const all = {
    PATH: pathOf(host),
    ...places,
    ...QUIET,
    ...proxyGuard(node),
    ...connection(modelUrl),
    ...extra,
  };
  return Object.fromEntries(Object.entries(all).filter(isSet));
}

/** On Node 26, JavaScript CLIs get no answer from the model if any proxy is set, even one that is not for its address. */
function proxyGuard(node: string): Readonly<Record<string, string>> {
  return Number.parseInt(node, 10) < 26 ? PROXY_GUARD : {};
}

/** Nothing listens on the discard port, so a request through the proxy fails immediately. */
const CLOSED_PROXY = 'http://127.0.0.1:9';

const PROXY_GUARD = {
  HTTP_PROXY: CLOSED_PROXY,
  HTTPS_PROXY: CLOSED_PROXY,
  ALL_PROXY: CLOSED_PROXY,
  http_proxy: CLOSED_PROXY,
  https_proxy: CLOSED_PROXY,
  all_proxy: CLOSED_PROXY,
  NO_PROXY: '127.0.0.1',
  no_proxy: '127.0.0.1',
};

const QUIET = {
  CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
  DISABLE_TELEMETRY: '1',
  DISABLE_ERROR_REPORTING: '1',
  DISABLE_AUTOUPDATER: '1',
};

function connection(modelUrl: string): Record<string, string> {
  return { ANTHROPIC_BASE_URL: modelUrl, ANTHROPIC_API_KEY: 'made-up-key-for-the-scripted-model' };
}

function windowsPlaces(
  home: string,
  tmp: string,
  host: Readonly<Record<string, string | undefined>>,
): Record<string, string | undefined> {
  const { SystemRoot, ComSpec, PATHEXT } = host;
  return { USERPROFILE: home, HOME: home, TEMP: tmp, TMP: tmp, SystemRoot, ComSpec, PATHEXT };
}

function pathOf(host: Readonly<Record<string, string | undefined>>): string | undefined {
  return host.PATH ?? host.Path;
}

function isSet(entry: [string, string | undefined]): entry is [string, string] {
  return entry[1] !== undefined;
}
