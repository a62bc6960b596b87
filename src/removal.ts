/**
 * The result of a request to delete something. `more`: a part was deleted, and the call must be repeated, so that no
 * call blocks a store for long. `running`: it has not ended and was not deleted.
 */
export type Removal = 'removed' | 'more' | 'running' | 'missing';
