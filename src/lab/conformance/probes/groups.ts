import type { ProbeGroup } from '../probe.js';
import { autoMode } from './auto-probes.js';
import { changedSurroundings, resumedCost } from './cache-probes.js';
import { conversation, inPieces, unguarded } from './conversation.js';
import { deferredCall } from './deferred-call-probes.js';
import { claimed, endpoints } from './endpoint-probes.js';
import { askedEnds, endsOfInput, signals, unknownFlag } from './ends-probes.js';
import { firstWords, muteInProcess, muteProcess, oddHandshakes } from './handshake-probes.js';
import { hookEvents } from './hook-events.js';
import { hooks } from './hook-probes.js';
import { promptAtTheEnd } from './interrupt-probes.js';
import { planLimits } from './limit-probes.js';
import { fatalLines, oddLines } from './line-probes.js';
import {
  connectingServer,
  forms,
  noServers,
  setAgain,
  setServers,
  switchedServers,
  takenServers,
} from './mcp-control-probes.js';
import { failingServers, greetings, lateServer, muteGreetings, namelessServer } from './mcp-probes.js';
import { newerRequests } from './newer-request-probes.js';
import { nobodyToAsk, rules } from './permission-probes.js';
import { chosenSkills, namedConversation, structuredOutput, systemPrompts } from './prompts.js';
import { schemaDialects } from './schema-probes.js';
import { resumes, rewinds, unknownSession } from './session-probes.js';
import { forbiddenBypass, ownMode } from './setting-probes.js';
import { tasks } from './task-probes.js';
import { budget, limits, toldTurns } from './turn-probes.js';

/** All probes, in groups that share a running CLI; the slowest come first. */
export const probeGroups: readonly ProbeGroup[] = [
  conversation,
  inPieces,
  hooks,
  muteGreetings,
  hookEvents,
  oddLines,
  systemPrompts,
  endsOfInput,
  endpoints,
  newerRequests,
  failingServers,
  resumes,
  resumedCost,
  ...changedSurroundings,
  autoMode,
  planLimits,
  deferredCall,
  muteProcess,
  fatalLines,
  claimed,
  oddHandshakes,
  firstWords,
  rewinds,
  tasks,
  signals,
  greetings,
  rules,
  setServers,
  setAgain,
  switchedServers,
  takenServers,
  connectingServer,
  forms,
  askedEnds,
  muteInProcess,
  lateServer,
  namelessServer,
  noServers,
  nobodyToAsk,
  unguarded,
  forbiddenBypass,
  ownMode,
  structuredOutput,
  schemaDialects,
  chosenSkills,
  namedConversation,
  promptAtTheEnd,
  toldTurns,
  limits,
  budget,
  unknownFlag,
  unknownSession,
];
