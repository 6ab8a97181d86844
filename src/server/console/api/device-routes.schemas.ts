import { z } from 'zod';
import type { Route } from './route.js';
import * as shapes from './shapes.schemas.js';

/** Everything that has access, and taking it away. */
export const deviceRoutes: readonly Route[] = [
  {
    method: 'get',
    path: '/devices',
    name: 'listDevices',
    tag: 'Devices',
    command: 'devices',
    about: 'List keys, and the browsers that signed in or joined with one, with their last use.',
    answer: z.object({ items: z.array(shapes.device) }).describe('Everything that has access.'),
    run: async (_input, { command }) => ({ items: (await command('devices', {})).devices }),
  },
  {
    method: 'delete',
    path: '/devices/{device}',
    name: 'revokeDevice',
    tag: 'Devices',
    command: 'devices.revoke',
    about: 'Sign a browser out, or revoke a key and everything that signed in with it. Connections end.',
  },
];
