/**
 * What became of a request to delete something. `more`: a part of it went, and the same call takes the next; so no call
 * holds a store for long. `running`: it has not ended, and stays.
 */
export type Removal = 'removed' | 'more' | 'running' | 'missing';
