/**
 * Sets an own property of a plain object, whatever its name. Assigning `__proto__` would not create a property, so it
 * is defined. All other names are assigned, which is many times faster.
 */
export function setOwn<T extends object, K extends keyof T & string>(record: T, name: K, value: T[K]): void {
  if (name !== '__proto__') record[name] = value;
  else Object.defineProperty(record, name, { value, enumerable: true, configurable: true, writable: true });
}
