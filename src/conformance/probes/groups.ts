import type { ProbeGroup } from '../probe.js';
import { claimed, endpoints } from './endpoints.js';
import { askedEnds, endsOfInput, signals, unknownFlag } from './ends.js';
import { envelope, envelopeInTurn, unopened } from './envelope.js';
import { firstWords, muteServers, oddHandshakes, repeatedHandshake } from './handshake.js';
import { hookEvents } from './hook-events.js';
import { contexts, decisions, failingHooks, forcedPrompt, matchers, turnHooks } from './hooks.js';
import { interrupts, promptAtTheEnd, withdrawals, withdrawnHook } from './interrupts.js';
import { fatalLines, oddLines } from './lines.js';
import { failingServers, greetings, muteGreetings, namelessServer, serverWords } from './mcp.js';
import { forms, noServers, setServers, switchedServers } from './mcp-control.js';
import { allowing, atOnce, denying, nobodyToAsk, rules } from './permissions.js';
import { systemPrompts } from './prompts.js';
import { questions, questionsInBypass } from './questions.js';
import { resumes, rewinds, unknownSession } from './sessions.js';
import { bypass, forbiddenBypass, models, modes } from './settings.js';
import { tasks } from './tasks.js';
import { budget, commands, failures, limits, partialMessages, plainTurns, toldTurns } from './turns.js';

/** All probes, in groups that share a started CLI; those that take longest come first. */
export const probeGroups: readonly ProbeGroup[] = [
  systemPrompts,
  resumes,
  hookEvents,
  endpoints,
  muteGreetings,
  muteServers,
  claimed,
  oddHandshakes,
  firstWords,
  repeatedHandshake,
  unopened,
  envelope,
  envelopeInTurn,
  rules,
  allowing,
  denying,
  nobodyToAsk,
  atOnce,
  questions,
  questionsInBypass,
  modes,
  bypass,
  forbiddenBypass,
  models,
  plainTurns,
  toldTurns,
  limits,
  budget,
  failures,
  commands,
  partialMessages,
  matchers,
  decisions,
  forcedPrompt,
  failingHooks,
  turnHooks,
  contexts,
  interrupts,
  withdrawals,
  withdrawnHook,
  promptAtTheEnd,
  fatalLines,
  oddLines,
  endsOfInput,
  signals,
  askedEnds,
  unknownFlag,
  unknownSession,
  rewinds,
  tasks,
  greetings,
  serverWords,
  failingServers,
  namelessServer,
  setServers,
  noServers,
  switchedServers,
  forms,
];
