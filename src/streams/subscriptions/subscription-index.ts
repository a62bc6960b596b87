/**
 * An in-memory index of which subscriptions follow a stream, so that an append without followers costs a few map
 * lookups and no store access. It holds the patterns and the streams followed by name, counted per tenant. It is built
 * from the store at start, and updated only after the store.
 */
import { SondeError } from '../../errors.js';
import { PatternTree } from './pattern-tree.js';
import { PathPattern } from './stream-path.js';
import type { SubscriptionConfig, SubscriptionKey } from './subscription-store.js';

export interface IndexEntry {
  readonly key: SubscriptionKey;
  readonly pattern: PathPattern | null;
  /** The subscription never follows its own wake stream, because announcing a wake would cause the next one. */
  readonly wakeStream: string | null;
  readonly explicit: Set<string>;
}

interface KeptEntry extends IndexEntry {
  /** Those of its tenant. */
  readonly among: TenantEntries;
}

interface TenantEntries {
  readonly byId: Map<string, KeptEntry>;
  readonly byPath: Map<string, Set<IndexEntry>>;
  readonly byPattern: PatternTree<IndexEntry>;
  /** The number of subscriptions and of streams that they name. */
  count: number;
}

export class SubscriptionIndex {
  readonly #tenants = new Map<string, TenantEntries>();

  get tenants(): readonly string[] {
    return [...this.#tenants.keys()];
  }

  /** Throws `TOO_MANY_SUBSCRIPTIONS` if the tenant has no room for this many more entries. */
  demandRoom(tenant: string, entries: number, max: number): void {
    if ((this.#tenants.get(tenant)?.count ?? 0) + entries <= max) return;
    const message = `a tenant can have at most ${max} subscriptions and named streams in total`;
    throw new SondeError('TOO_MANY_SUBSCRIPTIONS', message, { details: { max } });
  }

  add(config: SubscriptionConfig, paths: readonly string[]): IndexEntry {
    this.remove(config);
    const tenant = this.#tenants.get(config.tenant) ?? {
      byId: new Map(),
      byPath: new Map(),
      byPattern: new PatternTree(),
      count: 0,
    };
    this.#tenants.set(config.tenant, tenant);
    const entry: KeptEntry = {
      key: { tenant: config.tenant, id: config.id },
      pattern: config.pattern === null ? null : new PathPattern(config.pattern),
      wakeStream: config.wakeStream,
      explicit: new Set(),
      among: tenant,
    };
    tenant.byId.set(config.id, entry);
    if (entry.pattern) tenant.byPattern.add(entry.pattern, entry);
    tenant.count++;
    for (const path of paths) this.link(entry.key, path);
    return entry;
  }

  remove(key: SubscriptionKey): void {
    const entry = this.#find(key);
    if (!entry) return;
    for (const path of [...entry.explicit]) this.unlink(key, path);
    const { among, pattern } = entry;
    if (pattern) among.byPattern.remove(pattern, entry);
    among.byId.delete(key.id);
    among.count--;
    if (among.byId.size === 0) this.#tenants.delete(key.tenant);
  }

  find(key: SubscriptionKey): IndexEntry | undefined {
    return this.#find(key);
  }

  #find({ tenant, id }: SubscriptionKey): KeptEntry | undefined {
    return this.#tenants.get(tenant)?.byId.get(id);
  }

  link(key: SubscriptionKey, path: string): void {
    const entry = this.#find(key);
    if (!entry || entry.explicit.has(path)) return;
    entry.explicit.add(path);
    addTo(entry.among.byPath, path, entry);
    entry.among.count++;
  }

  unlink(key: SubscriptionKey, path: string): void {
    const entry = this.#find(key);
    if (!entry?.explicit.delete(path)) return;
    deleteFrom(entry.among.byPath, path, entry);
    entry.among.count--;
  }

  following(tenant: string, path: string): readonly IndexEntry[] {
    const entries = this.#tenants.get(tenant);
    if (!entries) return [];
    const found = entries.byPattern.matching(path);
    for (const entry of entries.byPath.get(path) ?? []) found.add(entry);
    return [...found].filter((entry) => entry.wakeStream !== path);
  }

  /** The prefixes of a tenant's patterns, without those that another prefix covers. */
  prefixes(tenant: string): readonly string[] {
    const found: string[] = [];
    const entries = [...(this.#tenants.get(tenant)?.byId.values() ?? [])];
    for (const prefix of entries.flatMap(({ pattern }) => (pattern ? [pattern.prefix] : [])).sort()) {
      const outer = found.at(-1);
      if (outer === undefined || !prefix.startsWith(outer)) found.push(prefix);
    }
    return found;
  }

  follows(entry: IndexEntry, path: string): boolean {
    if (entry.wakeStream === path) return false;
    return entry.explicit.has(path) || entry.pattern?.matches(path) === true;
  }
}

function addTo(map: Map<string, Set<IndexEntry>>, name: string, entry: IndexEntry): void {
  map.set(name, (map.get(name) ?? new Set()).add(entry));
}

function deleteFrom(map: Map<string, Set<IndexEntry>>, name: string, entry: IndexEntry): void {
  const entries = map.get(name);
  entries?.delete(entry);
  if (entries?.size === 0) map.delete(name);
}
