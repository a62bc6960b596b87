/** For results that are filled member by member before anyone sees them: spreading optional members costs more. */
export type Mutable<T> = { -readonly [K in keyof T]: T[K] };
