import type { ProbeGroup } from '../probe.js';
import { claimed, endpoints } from './endpoints.js';
import { envelope, envelopeInTurn, unopened } from './envelope.js';
import { firstWords, muteServers, oddHandshakes, repeatedHandshake } from './handshake.js';
import { allowing, atOnce, denying, nobodyToAsk, rules } from './permissions.js';
import { systemPrompts } from './prompts.js';
import { questions, questionsInBypass } from './questions.js';
import { bypass, forbiddenBypass, models, modes } from './settings.js';
import { budget, commands, failures, limits, partialMessages, plainTurns, toldTurns } from './turns.js';

/** All probes, in groups that share a started CLI; those that take longest come first. */
export const probeGroups: readonly ProbeGroup[] = [
  systemPrompts,
  endpoints,
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
];
