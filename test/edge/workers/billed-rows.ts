/** Runs statements in an object of the platform, and returns how many rows each is billed for. */
import { DurableObject } from 'cloudflare:workers';

export class BilledRows extends DurableObject {
  run(statements: readonly (readonly [sql: string, ...params: (string | number | null)[]])[]): number[] {
    return statements.map(([sql, ...params]) => {
      const cursor = this.ctx.storage.sql.exec(sql, ...params);
      cursor.toArray();
      return cursor.rowsWritten;
    });
  }
}

// biome-ignore lint/style/noDefaultExport: the platform requires it
export default { fetch: () => new Response(null, { status: 404 }) };
