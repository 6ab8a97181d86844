import type { Requirement } from '../requirement.js';
import { envelopeRequirements } from './envelope.js';

/** Every requirement, by its id. */
export const requirements = {
  ...envelopeRequirements,
};

/** The id of a requirement: `subject:what`. */
export type RequirementId = keyof typeof requirements;

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
