/**
 * A real disk that a fault run fills. The file system is mounted for one server alone, in a namespace that ends with it;
 * the run reaches it through /proc. ext4 on a loop device needs root; tmpfs needs a user who may unshare.
 */
import { execFileSync } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type BuiltServer, startBuiltServer } from './built-server.js';

const MEGABYTES = 32;
const isRoot = process.getuid?.() === 0;

export type DiskKind = 'ext4' | 'tmpfs';
export const DISK_KINDS: readonly DiskKind[] = isRoot ? ['ext4', 'tmpfs'] : ['tmpfs'];

export class SmallDisk {
  readonly #kind: DiskKind;
  readonly #base = mkdtempSync(join(tmpdir(), 'sonde-disk-'));
  #server: BuiltServer | undefined;

  constructor(kind: DiskKind) {
    this.#kind = kind;
    mkdirSync(join(this.#base, 'disk'));
    if (kind === 'tmpfs') return;
    writeFileSync(this.#image, '');
    truncateSync(this.#image, MEGABYTES * 1024 * 1024);
    execFileSync('mkfs.ext4', ['-q', '-F', '-m', '0', this.#image]);
  }

  get #image(): string {
    return join(this.#base, 'image');
  }

  get server(): BuiltServer {
    if (!this.#server) throw new Error('no server was started on the disk');
    return this.#server;
  }

  /** Starts a server whose data folder is on the disk. */
  async start(args: readonly string[] = []): Promise<BuiltServer> {
    const disk = join(this.#base, 'disk');
    const options = this.#kind === 'ext4' ? `-o loop ${this.#image}` : `-t tmpfs -o size=${MEGABYTES}m tmpfs`;
    const asRoot = isRoot ? [] : ['--map-root-user'];
    const wrapper = [
      'unshare',
      '--mount',
      ...asRoot,
      'sh',
      '-c',
      `mount ${options} ${disk} && exec "$@"`,
      'sh',
    ];
    const folder = join(disk, 'data');
    this.#server = await startBuiltServer({ folder, wrapper, args: ['--drain-ms', '0', ...args] });
    return this.#server;
  }

  get #ballast(): string {
    return join('/proc', String(this.server.pid), 'root', this.#base, 'disk', 'ballast');
  }

  /** Fills the disk to the last byte. */
  fill(): void {
    const file = openSync(this.#ballast, 'a');
    try {
      for (let size = 1024 * 1024; size >= 1; size = Math.floor(size / 4))
        fillWith(file, Buffer.alloc(size, 1));
    } finally {
      closeSync(file);
    }
  }

  free(): void {
    rmSync(this.#ballast);
  }

  async remove(): Promise<void> {
    await this.#server?.kill();
    rmSync(this.#base, { recursive: true, force: true });
  }
}

function fillWith(file: number, piece: Buffer): void {
  try {
    while (writeSync(file, piece) > 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
  }
}
