export type { MemoryPairOptions } from './memory.js';
export { memoryPair } from './memory.js';
export type { StreamTransportOptions } from './streams.js';
export { streamTransport } from './streams.js';
export type {
  CliOptions,
  LocalPlugin,
  PermissionMode,
  ProcessOptions,
  SettingSource,
  ThinkingDisplay,
  ThinkingOption,
} from './subprocess/cli-options.js';
export type { FoundHow, Place } from './subprocess/cli-places.js';
export type { CommandLine } from './subprocess/command-line.js';
export type { EndingTimes, Rung } from './subprocess/ending.js';
export type { EnvMode } from './subprocess/environment.js';
export { HOST_ONLY_VARIABLES, ISOLATED_VARIABLES } from './subprocess/environment.js';
export type { CliSearch, FindCliOptions, FoundCli, LookedAt } from './subprocess/find-cli.js';
export { findCli } from './subprocess/find-cli.js';
export type { Keeper, KeeperParts, Watch } from './subprocess/keeper.js';
export type { CliTransport, LaunchParts } from './subprocess/launch.js';
export { launchCli } from './subprocess/launch.js';
export type { ExitReport, LineProcess, LineProcessOptions } from './subprocess/line-process.js';
export { cliOptionRules } from './subprocess/option-rules.js';
export { cliOptionSpecs } from './subprocess/option-table.js';
export type { Argument, CliOptionSpec, OptionTable, Passing, PassingContext } from './subprocess/passing.js';
export type { EndingSignal, ProcessControl } from './subprocess/platform.js';
export type { OwnedChild } from './subprocess/process-table.js';
export type { Program } from './subprocess/program.js';
export type { SpawnLinesOptions, SpawnParts } from './subprocess/spawn-lines.js';
export { spawnLines } from './subprocess/spawn-lines.js';
export type { FileFacts, FileLook, System } from './subprocess/system.js';
export type { RunForVersion, VersionBook, VersionSurroundings } from './subprocess/version.js';
export type { End, OnLines, Transport } from './transport.js';
