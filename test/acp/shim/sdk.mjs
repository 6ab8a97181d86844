// All that the program gets of "the SDK": our own door. In a project of your own this is `export * from 'coxswain/compat'`.
export * from '../../../dist/compat/index.js';
