// The benchmark's side of the client process: calls its operations and returns their results.
import { startNode, stopNode } from './processes.mjs';

/** @typedef {import('./client.mjs').Operations} Operations */
/** @typedef {Awaited<ReturnType<typeof startClient>>} Client */

export function startClient() {
  const child = startNode('./client.mjs', []);
  child.stdout?.resume();
  /** @type {Map<number, { resolve: (value: never) => void, reject: (error: Error) => void }>} */
  const waiting = new Map();
  let calls = 0;

  child.on('message', (message) => {
    const { id, result, error } = /** @type {{ id: number, result: never, error?: string }} */ (message);
    const call = waiting.get(id);
    waiting.delete(id);
    if (error === undefined) call?.resolve(result);
    else call?.reject(new Error(error));
  });
  child.once('exit', (code) => {
    for (const call of waiting.values()) call.reject(new Error(`the client ended with ${code}`));
  });
  return {
    /**
     * @template {keyof Operations} Name
     * @param {Name} name
     * @param {Parameters<Operations[Name]>[0]} args
     * @returns {Promise<Awaited<ReturnType<Operations[Name]>>>}
     */
    call: (name, args) =>
      new Promise((resolve, reject) => {
        const id = ++calls;
        waiting.set(id, { resolve, reject });
        child.send({ id, name, args });
      }),
    stop: () => stopNode(child),
  };
}
