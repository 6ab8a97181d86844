// The fault matrix: what can go wrong, in which phase, what the user must see and when. Nothing is ever left running.
import { callbackFaults } from './table/callbacks.mjs';
import { hostFaults } from './table/host.mjs';
import { processFaults } from './table/process.mjs';
import { wireFaults } from './table/wire.mjs';

export const faults = [...processFaults, ...wireFaults, ...callbackFaults, ...hostFaults];
