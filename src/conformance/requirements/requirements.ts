import type { Requirement } from '../requirement.js';
import { endpointRequirements } from './endpoints.js';
import { endRequirements } from './ends.js';
import { envelopeRequirements } from './envelope.js';
import { handshakeRequirements } from './handshake.js';
import { eventRequirements, hookRequirements } from './hooks.js';
import { interruptRequirements } from './interrupts.js';
import { mcpRequirements } from './mcp.js';
import { mcpControlRequirements } from './mcp-control.js';
import { newerRequestRequirements } from './newer-requests.js';
import { permissionRequirements } from './permissions.js';
import { questionRequirements } from './questions.js';
import { sessionRequirements } from './sessions.js';
import { settingsRequirements } from './settings.js';
import { turnRequirements } from './turns.js';

const all = {
  ...handshakeRequirements,
  ...envelopeRequirements,
  ...endpointRequirements,
  ...newerRequestRequirements,
  ...settingsRequirements,
  ...turnRequirements,
  ...permissionRequirements,
  ...questionRequirements,
  ...hookRequirements,
  ...eventRequirements,
  ...mcpRequirements,
  ...mcpControlRequirements,
  ...interruptRequirements,
  ...sessionRequirements,
  ...endRequirements,
};

/** The id of a requirement: `subject:what`. */
export type RequirementId = keyof typeof all;

/** Every requirement, by its id. */
export const requirements: Readonly<Record<RequirementId, Requirement>> = all;

/** All ids, subject by subject. */
export const requirementIds = Object.keys(requirements) as readonly RequirementId[];

/** Finds a requirement by its id; an unknown one gives undefined. */
export function findRequirement(id: string): Requirement | undefined {
  return isRequirementId(id) ? requirements[id] : undefined;
}

/** Whether there is a requirement with this id. */
export function isRequirementId(id: string): id is RequirementId {
  return Object.hasOwn(requirements, id);
}
