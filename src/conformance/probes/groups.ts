import type { ProbeGroup } from '../probe.js';
import { conversation, inPieces, unguarded } from './conversation.js';
import { claimed, endpoints } from './endpoints.js';
import { askedEnds, endsOfInput, signals, unknownFlag } from './ends.js';
import { firstWords, muteInProcess, muteProcess, oddHandshakes } from './handshake.js';
import { hookEvents } from './hook-events.js';
import { hooks } from './hooks.js';
import { promptAtTheEnd } from './interrupts.js';
import { fatalLines, oddLines } from './lines.js';
import { failingServers, greetings, lateServer, muteGreetings, namelessServer } from './mcp.js';
import { forms, noServers, setAgain, setServers, switchedServers } from './mcp-control.js';
import { newerRequests } from './newer-requests.js';
import { nobodyToAsk, rules } from './permissions.js';
import { structuredOutput, systemPrompts } from './prompts.js';
import { resumes, rewinds, unknownSession } from './sessions.js';
import { forbiddenBypass } from './settings.js';
import { tasks } from './tasks.js';
import { budget, limits, toldTurns } from './turns.js';

/** All probes, in groups that share a started CLI; those that take longest come first. */
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
  forms,
  askedEnds,
  muteInProcess,
  lateServer,
  namelessServer,
  noServers,
  nobodyToAsk,
  unguarded,
  forbiddenBypass,
  structuredOutput,
  promptAtTheEnd,
  toldTurns,
  limits,
  budget,
  unknownFlag,
  unknownSession,
];
