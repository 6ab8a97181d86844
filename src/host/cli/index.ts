export type { OptionFault, OptionKind, OptionRule, OptionSpec } from '../../wire/util/option-checks.js';
export type { Capabilities, CapabilityParts, RequestFate } from './capabilities.js';
export { capabilitiesOf } from './capabilities.js';
export type { EnvMode } from './environment.js';
export type { Fact } from './known-facts.js';
export { factNames } from './known-facts.js';
export type { CliTransport } from './launch-cli.js';
export { launchCli } from './launch-cli.js';
export { cliOptionSpecs } from './options/cli-option-table.js';
export type {
  CliOptions,
  Effort,
  LocalPlugin,
  PermissionMode,
  ProcessOptions,
  SettingSource,
  ThinkingDisplay,
  ThinkingOption,
} from './options/cli-options.js';
export { permissionModes } from './options/cli-options.js';
export { cliOptionRules } from './options/option-rules.js';
export type {
  Argument,
  CliOptionSpec,
  LaunchOptionSpec,
  OptionEntries,
  OptionTable,
  Passing,
  PassingContext,
} from './options/passing.js';
export type { FoundHow, Place } from './program/cli-places.js';
export type { CliSearch, FindCliOptions, FoundCli, LookedAt } from './program/find-cli.js';
export { findCli } from './program/find-cli.js';
export type { Program } from './program/program.js';
