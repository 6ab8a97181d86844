export type { SpawnCommand, Spawner, SpawnRequest } from '../cli/spawner.js';
export type { BubblewrapOptions } from './bubblewrap.js';
export { bubblewrap } from './bubblewrap.js';
export type { ContainerOptions } from './container.js';
export { container } from './container.js';
export { hostProcess } from './host-process.js';
export type { SshOptions } from './ssh.js';
export { ssh } from './ssh.js';
