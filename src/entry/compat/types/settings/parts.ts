// The parts of the settings, which have no official names.
export type * from './hook-settings.js';
export type * from './interface-settings.js';
export type * from './plugin-settings.js';
export type * from './sandbox-settings.js';
export type * from './settings.js';
