export type { Session } from '../session/session.js';
