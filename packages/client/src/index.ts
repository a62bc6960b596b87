/** The public exports of `client/`, which runs in browsers, on Node and at the edge, and has no dependencies. */
export { type DurableFetch, durableFetch } from './durable-fetch.js';
export { type DurableFetchCode, DurableFetchError } from './durable-fetch-error.js';
export type { Timing } from './retry.js';
export type { DurableStorage } from './saved-request.js';
export type { DurableFetchOptions } from './settings.js';
