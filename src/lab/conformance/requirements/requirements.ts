import type { Requirement } from '../requirement.js';
import { costRequirements } from './cost-requirements.js';
import { endpointRequirements } from './endpoint-requirements.js';
import { endRequirements } from './ends-requirements.js';
import { envelopeRequirements } from './envelope-requirements.js';
import { handshakeRequirements } from './handshake-requirements.js';
import { eventRequirements, hookRequirements } from './hook-requirements.js';
import { interruptRequirements } from './interrupt-requirements.js';
import { limitRequirements } from './limit-requirements.js';
import { mcpControlRequirements } from './mcp-control-requirements.js';
import { mcpRequirements } from './mcp-requirements.js';
import { newerRequestRequirements } from './newer-request-requirements.js';
import { permissionRequirements } from './permission-requirements.js';
import { questionRequirements } from './question-requirements.js';
import { schemaRequirements } from './schema-requirements.js';
import { sessionRequirements } from './session-requirements.js';
import { settingsRequirements } from './setting-requirements.js';
import { turnRequirements } from './turn-requirements.js';

const all = {
  ...handshakeRequirements,
  ...schemaRequirements,
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
  ...costRequirements,
  ...limitRequirements,
  ...endRequirements,
};

/** The id of a requirement: `subject:what`. */
export type RequirementId = keyof typeof all;

/** Every requirement, by its id. */
export const requirements: Readonly<Record<RequirementId, Requirement>> = all;

/** All ids, subject by subject. */
export const requirementIds = Object.keys(requirements) as readonly RequirementId[];

/** Finds a requirement by its id; undefined if unknown. */
export function findRequirement(id: string): Requirement | undefined {
  return isRequirementId(id) ? requirements[id] : undefined;
}

/** Whether a requirement with this id exists. */
export function isRequirementId(id: string): id is RequirementId {
  return Object.hasOwn(requirements, id);
}
