import { readVariable, type System } from '../../wire/transport/process/system.js';

/** The system in words. */
export function platformText({ platform, arch, files }: System): string {
  if (platform !== 'linux') return `${platform} ${arch}`;
  return `linux ${arch}, ${MUSL_LOADERS.some((path) => files.stat(path) !== undefined) ? 'musl' : 'glibc'}`;
}

const MUSL_LOADERS = ['/lib/ld-musl-x86_64.so.1', '/lib/ld-musl-aarch64.so.1'];

/** Facts about the environment that have an effect but are not errors. Names only, never values. */
export function environmentNotes(system: System): readonly string[] {
  const { platform, arch, env, uid } = system;
  const isSet = (name: string) => (readVariable(platform, env, name) ?? '') !== '';
  const named = TELLING_VARIABLES.filter(isSet);
  return [
    ...(platform === 'linux' && arch === 'x64'
      ? []
      : [`${platform} ${arch} is not a tested platform (see docs/help/platforms.md).`]),
    ...(uid === 0 ? ['You are root: the CLI refuses bypassPermissions.'] : []),
    ...(isSet('NODE_OPTIONS') ? ['NODE_OPTIONS is set; it is not passed to the CLI.'] : []),
    ...(named.length === 0 ? [] : [`These variables change what the CLI does: ${named.join(', ')}.`]),
  ];
}

const TELLING_VARIABLES = [
  'CLAUDE_CODE_PATH',
  'CLAUDE_CONFIG_DIR',
  'ANTHROPIC_API_KEY',
  'ANTHROPIC_AUTH_TOKEN',
  'ANTHROPIC_BASE_URL',
  'ANTHROPIC_MODEL',
  'CLAUDE_CODE_USE_BEDROCK',
  'CLAUDE_CODE_USE_VERTEX',
  'CLAUDE_CODE_USE_FOUNDRY',
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'http_proxy',
  'https_proxy',
];
