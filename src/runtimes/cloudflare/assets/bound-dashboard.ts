/** Serves the built dashboard from the static assets below `dashboard/`. The platform compresses responses. */
import type { DashboardFiles } from '../../../api/routes/dashboard.js';
import { DASHBOARD_FOLDER } from './asset-names.js';

export function createBoundDashboard(assets: Fetcher): DashboardFiles {
  return {
    async read(path) {
      const response = await assets.fetch(`https://assets.invalid/${DASHBOARD_FOLDER}/${path}`);
      if (response.ok && response.body) {
        return {
          body: response.body,
          type: response.headers.get('content-type') ?? 'application/octet-stream',
        };
      }
      await response.body?.cancel();
      return undefined;
    },
  };
}
