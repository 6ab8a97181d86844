export { changesOf, type FactChange, type Facts, factAt, isExactAt } from '../../host/cli/ledger/facts.js';
export { type Ledger, readLedger } from '../../host/cli/ledger/ledger.js';
export {
  type Capability,
  capabilities,
  holdsAt,
  rangesOf,
  type VersionRange,
} from './capabilities.js';
export { expectedVerdict, type Surprise, surprises } from './expected.js';
export { jsonReport, markdownReport } from './report.js';
export type { Requirement, Requirements } from './requirement.js';
export type { EndpointId } from './requirements/endpoint-requirements.js';
export type { EventId, ProbedEvent } from './requirements/hook-requirements.js';
export {
  isRequirementId,
  type RequirementId,
  requirementIds,
  requirements,
} from './requirements/requirements.js';
export { type ProbeReport, type Progress, type RunOptions, runProbes } from './run.js';
export { type Shape, shapeDifferences, shapeOf } from './shape.js';
export type {
  Exit,
  Flags,
  ModelControl,
  Patience,
  Place,
  Start,
  StartedCli,
  Subject,
} from './subject.js';
export { emulatedSubject } from './subjects/emulated.js';
export { realSubject } from './subjects/real.js';
export { type Finding, type Verdict, verdicts } from './verdict.js';
