export type { AssistantOptions } from './builders/assistant.js';
export {
  assistantApiError,
  assistantMessage,
  assistantText,
  assistantThinking,
  assistantToolUse,
} from './builders/assistant.js';
export { BUILDER_SESSION_ID, type Overrides } from './builders/identity.js';
export { type ErrorResultSubtype, resultError, resultSuccess } from './builders/result.js';
export { type ModelEvent, streamEvent } from './builders/stream.js';
export type { SystemSubtype } from './builders/system.js';
export { rateLimitEvent, systemInit, systemMessage } from './builders/system.js';
export { interruptNote, type ToolResultOptions, toolResult, userMessage } from './builders/user.js';
export { echoPartner } from './contracts/echo-partner.js';
export type { SpawnerUnderTest } from './contracts/spawner.js';
export { spawnerContract } from './contracts/spawner.js';
export type { ContractCase, MakeTransport } from './contracts/transport.js';
export { transportContract } from './contracts/transport.js';
export type { HostRequest } from './emulator/asking/host-request.js';
export type { AskOptions, Cli, Scene } from './emulator/cli.js';
export { type EmulatedCli, type EmulateOptions, emulateCli } from './emulator/emulate-cli.js';
export type { ExitStatus } from './emulator/pipes/pipes.js';
export { emulatorProgram } from './emulator/program/emulator-program.js';
export { type InstallOptions, installEmulator } from './emulator/program/install-program.js';
export type { EmulatedLaunch } from './emulator/program/launch-in-memory.js';
export { ScenarioError, type ScenarioFailure } from './emulator/scenario/failures.js';
export type { Expectation, TextPattern, UserMatch } from './emulator/scenario/match.js';
export {
  type RecordedLine,
  readRecording,
  scenarioFromRecording,
} from './emulator/scenario/recorded-scenario.js';
export type {
  BareTurn,
  Cue,
  RequestCue,
  Scenario,
  StartCue,
  Steps,
  Times,
  UnaskedCue,
  UserCue,
} from './emulator/scenario/scenario.js';
export { onRequest, onStart, onUser, scenario, unasked } from './emulator/scenario/scenario.js';
export type { SessionStart } from './emulator/session-state.js';
export { answer, refuse } from './emulator/steps/answer-steps.js';
export { askHost, elicit, hook, mcpMessage, mcpTool } from './emulator/steps/asking-steps.js';
export {
  deaf,
  flood,
  halfLine,
  hugeLine,
  ignoreSigterm,
  noise,
  raw,
  slowDrip,
  splitUtf8,
} from './emulator/steps/fault-steps.js';
export { act, die, hang, wait } from './emulator/steps/life-steps.js';
export { askModel } from './emulator/steps/model-steps.js';
export { apiFailure, done, fail } from './emulator/steps/result-steps.js';
export { say, send } from './emulator/steps/speech-steps.js';
export { together } from './emulator/steps/step.js';
export type {
  AskModelOptions,
  EmulatedOption,
  EmulatedQuestion,
  Expecting,
  SayOptions,
  Step,
  StepMap,
  StepOf,
  TaskOptions,
  UseToolOptions,
} from './emulator/steps/step-types.js';
export { endTask, startTask } from './emulator/steps/task-steps.js';
export { askQuestion, question, useTool } from './emulator/steps/tool-steps.js';
export { emulatedVersions } from './emulator/versions/traits.js';
export { checkScript } from './model/check-script.js';
export type { Delay } from './model/delivery.js';
export { type LimitHeaderOptions, limitHeaders } from './model/limit-headers.js';
export type { AimedMatcher, Matcher, Pattern, TextMatcher } from './model/matchers.js';
export type { MakeId } from './model/message.js';
export type { PromptPart } from './model/prompt.js';
export type {
  ApiErrorOptions,
  Delivery,
  ErrorReply,
  MessageReply,
  Reply,
  ReplyBlock,
  ReplyOptions,
  ReplyUsage,
  StopReason,
  TextBlock,
  ThinkingBlock,
  ToolUseBlock,
} from './model/replies.js';
export { apiError, cut, drip, reply, stall, text, thinking, toolUse } from './model/replies.js';
export type { ModelRequest, RequestKind, ToolResult } from './model/request.js';
export { isSideCall } from './model/request.js';
export type { ReplyFunction, Script, ScriptStep } from './model/script.js';
export { echoScript } from './model/script.js';
export { scriptModel } from './model/script-model.js';
export type { ScriptedModel, ScriptModelOptions } from './model/scripted-model.js';
export type { KnownRealCli, KnownRealClisOptions } from './real-cli/known-clis.js';
export { knownRealClis } from './real-cli/known-clis.js';
export type { RealCli, RealCliOptions } from './real-cli/real-cli.js';
export { realCli } from './real-cli/real-cli.js';
