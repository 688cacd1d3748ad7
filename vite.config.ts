import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';
import { browserPackages } from './scripts/browser-packages.ts';
import { browserTarget, checkBrowserTarget } from './scripts/browser-target.ts';
import { chunkFileNames, chunks } from './scripts/chunks.ts';
import { precompress } from './scripts/precompress.ts';
import { serverEntries } from './scripts/server-entries.mjs';
import { texts } from './scripts/texts.ts';

/** React Router names every server output index.js; our entries need their own names back. */
function keepServerEntryNames(): Plugin {
  return {
    name: 'lale:server-entry-names',
    enforce: 'post',
    applyToEnvironment: (environment) => environment.name === 'ssr',
    outputOptions: (options) => ({ ...options, entryFileNames: '[name].js' }),
  };
}

export default defineConfig({
  plugins: [
    tailwindcss(),
    texts(),
    reactRouter(),
    keepServerEntryNames(),
    checkBrowserTarget(),
    precompress(),
  ],
  resolve: { tsconfigPaths: true },
  server: { watch: { ignored: ['**/var/**', '**/db/**'] } },
  optimizeDeps: { include: browserPackages, noDiscovery: true },
  build: { assetsInlineLimit: 0 },
  environments: {
    client: {
      build: {
        target: browserTarget,
        rolldownOptions: {
          output: {
            chunkFileNames,
            codeSplitting: {
              groups: chunks,
            },
          },
        },
      },
    },
    ssr: {
      // Its package.json lists every file, and Node reads that list once for each of 149 modules: 170 MB of garbage.
      resolve: { noExternal: ['drizzle-orm'] },
      build: {
        rollupOptions: {
          input: serverEntries,
        },
      },
    },
  },
});
