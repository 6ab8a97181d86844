import type { ProbeGroup } from '../probe.js';
import { serverConfig } from '../tool-server.js';
import { envelopeProbes } from './envelope-probes.js';
import { secondHandshake } from './handshake-probes.js';
import { interruptProbes, withdrawalProbes } from './interrupt-probes.js';
import { serverWordProbes } from './mcp-probes.js';
import { allowProbes, denyProbes, sideBySide } from './permission-probes.js';
import { questionInBypass, questionProbes } from './question-probes.js';
import { noCheckpoints } from './session-probes.js';
import { bypassProbe, modelProbes, modeProbes } from './setting-probes.js';
import { commandProbes, failureProbes, partialProbes, plainTurnProbes } from './turn-probes.js';

/** One long conversation; probes that change the session for others come late. */
export const conversation: ProbeGroup = {
  name: 'a long conversation',
  start: { flags: { mcpServers: serverConfig } },
  probes: [
    ...envelopeProbes,
    ...plainTurnProbes,
    ...allowProbes,
    ...denyProbes,
    sideBySide,
    ...questionProbes,
    ...withdrawalProbes,
    ...serverWordProbes,
    noCheckpoints,
    ...failureProbes,
    ...modeProbes,
    ...modelProbes,
    ...commandProbes,
    secondHandshake,
  ],
};

/** A conversation with partial messages. */
export const inPieces: ProbeGroup = {
  name: 'a conversation in pieces',
  start: { flags: { partialMessages: true } },
  probes: [...partialProbes, ...interruptProbes],
};

/** A conversation that may skip permissions. */
export const unguarded: ProbeGroup = {
  name: 'a conversation without permissions',
  start: { flags: { mcpServers: serverConfig, allowDangerouslySkipPermissions: true } },
  probes: [bypassProbe, questionInBypass],
};
