/** What Workflows import from `cloudflare:workflows`, for a process outside the platform. */
export class NonRetryableError extends Error {}
