export { AbortError } from './errors.js';
export { query } from './query/query.js';
