/** For results that are filled member by member before they are returned, which is faster than spreading. */
export type Mutable<T> = { -readonly [K in keyof T]: T[K] };
