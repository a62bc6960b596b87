import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  base: '/ui/',
  plugins: [react()],
  build: {
    outDir: '../dist/dashboard',
    emptyOutDir: true,
    target: 'es2022',
    // A data URL would need an exception in the policy of the pages.
    assetsInlineLimit: 0,
    manifest: true,
    license: { fileName: '.vite/license.json' },
    modulePreload: { polyfill: false },
    rolldownOptions: {
      input: { index: 'index.html', docs: 'docs.html' },
      // What every page needs comes in two files: over HTTP/1.1 a browser loads six at a time.
      output: {
        codeSplitting: {
          groups: [
            {
              name: 'libraries',
              test: /node_modules\/((react|react-dom|scheduler)\/|@tanstack\/(?!react-virtual|virtual-core))/,
            },
            { name: 'shared', test: /src\/(api|live|ui\/(mark|page|shell|shortcuts|states|theme|time))/ },
          ],
        },
      },
    },
    chunkSizeWarningLimit: 1600,
  },
});
