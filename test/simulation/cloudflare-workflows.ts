/** What Workflows import from `cloudflare:workflows`, for a process that is no platform. */
export class NonRetryableError extends Error {}
