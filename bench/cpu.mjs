// Processor time of the server per append, proxied request, request with a key and JSON request, for each kind of
// credential: user and system time of all its threads, from /proc. `--against FOLDER` measures the built checkout in
// that folder in alternating rounds with this one. One build is measured twice, as two servers: the difference between
// those is what chance does. For figures to rely on, on an idle machine:
//
//   npm run bench -- cpu --against ../before --rounds 10 --requests 20000
//   npm run bench -- cpu:append,json --credentials none,hs256
import { parseArgs } from 'node:util';
import { builds, startSide } from './cpu/sides.mjs';
import { Sender, WORK } from './cpu/work.mjs';
import { allCredentials } from './credentials.mjs';
import { preciseCpuMs } from './processor-time.mjs';
import { beside } from './proxy/processes.mjs';
import { beginRun, startNode, stopNode } from './streams/processes.mjs';
import { announcedUrl } from './streams/servers.mjs';
import { median, pause, rotated } from './streams/stats.mjs';

/** @typedef {import('./credentials.mjs').Credential} Credential */
/** @typedef {import('./cpu/sides.mjs').Side} Side */
/** @typedef {import('./cpu/work.mjs').Work} Work */
/** @typedef {Record<string, Record<string, number[]>>} Figures Microseconds by credential and side, round by round. */

const WARM_UP = 4_000;
/** How much dearer a request without a credential may be than before, unless chance does more. */
const NONE_MAX = 1.03;
/** How many microseconds a credential may add. */
const ADDED_MAX = 10;
/** Requests in a turn, and the time for what a server does after its last response. */
const TURN = 500;
const SETTLE_MS = 5;

export const PARTS = WORK;

/** @param {readonly string[]} parts @param {readonly string[]} flags */
export async function run(parts = Object.keys(WORK), flags = []) {
  const { values } = parseArgs({
    args: [...flags],
    options: {
      against: { type: 'string' },
      rounds: { type: 'string', default: '3' },
      requests: { type: 'string', default: '4000' },
      credentials: { type: 'string' },
    },
  });
  const folder = beginRun();
  const chosen = values.credentials?.split(',');
  const credentials = (await allCredentials(folder)).filter(({ name }) => chosen?.includes(name) ?? true);
  const upstreamChild = startNode(beside('upstream-server'), []);
  /** @type {Side[]} */
  const sides = [];
  try {
    const { origin: upstream } = await announcedUrl(upstreamChild);
    for (const build of builds(values.against))
      sides.push(await startSide(build, { credentials, upstream, folder }));
    for (const part of parts) {
      const how = { rounds: Number(values.rounds), requests: Number(values.requests) };
      report(part, await measure(part, { sides, credentials, ...how }), how);
    }
  } finally {
    for (const side of sides) await side.stop();
    await stopNode(upstreamChild);
  }
}

/**
 * @param {string} part
 * @param {{ sides: Side[], credentials: Credential[], rounds: number, requests: number }} how
 */
async function measure(part, { sides, credentials, rounds, requests }) {
  const work = WORK[part];
  if (work === undefined) throw new Error(`unknown part ${part}`);
  const measured = credentials.flatMap((credential) => sides.map((side) => new Measured(side, credential)));
  for (const each of measured) await each.warmUp(work);
  for (let round = 0; round < rounds; round++) {
    // In short turns, so that whatever else the machine does meets all of them.
    for (let turn = 0; turn * TURN < requests; turn++) {
      for (const each of rotated(measured, (round + turn) % measured.length)) await each.takeTurn(work);
    }
    for (const each of measured) each.endRound(requests);
  }
  /** @type {Figures} */
  const figures = {};
  for (const { side, credential, perRound } of measured) {
    figures[credential.name] = { ...figures[credential.name], [side.name]: perRound };
  }
  return figures;
}

/** What one credential costs one build. */
class Measured {
  /** @type {number[]} Microseconds per request. */ perRound = [];
  #ms = 0;
  #pid;
  #sender;

  /** @param {Side} side @param {Credential} credential */
  constructor(side, credential) {
    const { port, pid } = side.serverFor(credential);
    this.side = side;
    this.credential = credential;
    this.#sender = new Sender(port, credential);
    this.#pid = pid;
  }

  /** @param {Work} work */
  async warmUp(work) {
    await this.#send(work, WARM_UP);
    this.#ms = 0;
  }

  /** @param {Work} work */
  takeTurn(work) {
    return this.#send(work, TURN);
  }

  /** @param {number} requests */
  endRound(requests) {
    this.perRound.push((this.#ms * 1000) / (Math.ceil(requests / TURN) * TURN));
    this.#ms = 0;
  }

  /** @param {Work} work @param {number} count */
  async #send(work, count) {
    try {
      await this.#sender.open(work);
      const before = preciseCpuMs(this.#pid);
      await this.#sender.send(work, count);
      await pause(SETTLE_MS);
      this.#ms += preciseCpuMs(this.#pid) - before;
    } finally {
      await this.#sender.close();
    }
  }
}

/** @param {string} part @param {Figures} figures @param {{ rounds: number, requests: number }} how */
function report(part, figures, { rounds, requests }) {
  console.log(`\ncpu  ${part}: µs of processor time per request, medians of ${rounds} rounds of ${requests}`);
  for (const [name, sides] of Object.entries(figures)) {
    const parts = Object.entries(sides).map(([side, each]) => `${side} ${median(each).toFixed(1)}`);
    const compared =
      sides['before'] && sides['now'] ? [`now/before ${ratios(sides['now'], sides['before'])}`] : [];
    const same = `again/${sides['before'] ? 'before' : 'now'} ${ratios(sides['again'], sides['before'] ?? sides['now'])}`;
    console.log(`  ${name.padEnd(14)} ${[...parts, ...compared, same].join('  |  ')}`);
  }
  printBars(figures);
}

/** @param {Figures} figures */
function printBars({ none, ...rest }) {
  if (none?.['now'] === undefined) return;
  if (none['before'] !== undefined) {
    const chance = Math.abs(median(quotients(none['again'], none['before'])) - 1);
    bar('none, of before', median(quotients(none['now'], none['before'])), Math.max(NONE_MAX, 1 + chance));
  }
  for (const [name, sides] of Object.entries(rest)) {
    const before =
      sides['before'] && `, before ${median(differences(sides['before'], none['before'])).toFixed(1)}`;
    bar(`${name}, µs above none`, median(differences(sides['now'], none['now'])), ADDED_MAX, before);
  }
}

/** @param {string} label @param {number} measured @param {number} atMost @param {string} [note] */
function bar(label, measured, atMost, note = '') {
  const verdict = measured <= atMost ? 'met   ' : 'missed';
  console.log(
    `  ${verdict}  ${label.padEnd(28)} <= ${atMost.toFixed(2)}  measured ${measured.toFixed(2)}${note}`,
  );
}

/** The median of the rounds' ratios, and their range. @param {number[] | undefined} above @param {number[] | undefined} below */
function ratios(above, below) {
  const each = quotients(above, below);
  const [least, most] = [Math.min(...each), Math.max(...each)];
  return `${median(each).toFixed(3)} (${least.toFixed(2)} to ${most.toFixed(2)})`;
}

/** @param {number[]} [above] @param {number[]} [below] */
function quotients(above = [], below = []) {
  return above.map((each, round) => each / (below[round] ?? Number.NaN));
}

/** @param {number[]} [above] @param {number[]} [below] */
function differences(above = [], below = []) {
  return above.map((each, round) => each - (below[round] ?? Number.NaN));
}
