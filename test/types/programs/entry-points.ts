// Every entry point compiles in a strict project, and lists its own names.
import type * as sdk from 'coxswain';
import type * as aiSdk from 'coxswain/ai-sdk';
import type * as cli from 'coxswain/cli';
import type * as compat from 'coxswain/compat';
import type * as conformance from 'coxswain/conformance';
import type * as console from 'coxswain/console';
import type * as fleet from 'coxswain/fleet';
import type * as manager from 'coxswain/manager';
import type * as mcp from 'coxswain/mcp';
import type * as otel from 'coxswain/otel';
import type * as patches from 'coxswain/patches';
import type * as protocol from 'coxswain/protocol';
import type * as schemas from 'coxswain/protocol/schemas';
import type * as remote from 'coxswain/remote';
import type * as testing from 'coxswain/testing';
import type * as trace from 'coxswain/trace';
import type * as transcripts from 'coxswain/transcripts';
import type * as transport from 'coxswain/transport';
import { type Same, sure } from './expect.js';

sure<Same<ReturnType<typeof sdk.openSession>, Promise<sdk.Session>>>();
sure<Same<keyof typeof aiSdk extends string ? true : false, true>>();
sure<Same<ReturnType<typeof cli.findCli>, cli.CliSearch>>();
sure<Same<ReturnType<typeof compat.query>, compat.Query>>();
sure<Same<ReturnType<typeof conformance.readLedger>, conformance.Ledger>>();
sure<Same<ReturnType<typeof console.startConsole>, Promise<console.Console>>>();
sure<Same<ReturnType<typeof fleet.startWorker>, Promise<fleet.Worker>>>();
sure<Same<ReturnType<typeof manager.openManager>, Promise<manager.Manager>>>();
sure<Same<ReturnType<typeof mcp.mcpServer>, mcp.ToolServer>>();
sure<Same<typeof otel.traceSession extends (...given: never[]) => unknown ? true : false, true>>();
sure<Same<Parameters<typeof patches.planPatches>[1], patches.PatchOptions | undefined>>();
sure<Same<ReturnType<typeof protocol.decodeLine>, protocol.Frame>>();
sure<Same<typeof schemas.messageSchemas.assistant, schemas.Schema<protocol.Message<'assistant'>>>>();
sure<Same<testing.ScenarioError['failures'], readonly testing.ScenarioFailure[]>>();
sure<Same<ReturnType<typeof trace.startRecording>, trace.Recording>>();
sure<Same<ReturnType<typeof transcripts.listSessions>, Promise<transcripts.SessionInfo[]>>>();
sure<Same<ReturnType<typeof transport.spawnLines>, Promise<transport.LineProcess>>>();
sure<remote.ConsoleClient extends AsyncDisposable ? true : false>();

// One type per concept, wherever it is imported from.
sure<Same<sdk.PermissionMode, cli.PermissionMode>>();
sure<Same<sdk.SettingSource, cli.SettingSource>>();
sure<Same<sdk.EnvMode, cli.EnvMode>>();
sure<Same<sdk.CliMessage, protocol.CliMessage>>();
sure<Same<sdk.Transport, transport.Transport>>();
sure<Same<sdk.EndingTimes, transport.EndingTimes>>();
