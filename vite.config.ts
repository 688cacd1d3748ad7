import { reactRouter } from '@react-router/dev/vite';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig, type Plugin } from 'vite';
import { precompress } from './scripts/precompress.ts';

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
  plugins: [tailwindcss(), reactRouter(), keepServerEntryNames(), precompress()],
  resolve: { tsconfigPaths: true },
  server: { watch: { ignored: ['**/var/**', '**/db/**'] } },
  build: { assetsInlineLimit: 0 },
  environments: {
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              // All texts of one language in one file, staff's and the test pages' in others: a page asks for each once.
              groups: [
                {
                  test: /\/locales\/[a-z]{2}\//,
                  name: (id) => {
                    const [, language = 'en', file = ''] =
                      /\/locales\/([a-z]{2})\/(\w+)/.exec(id) ?? [];
                    const part = /^(decision|desk|dossier|staff)$/.test(file)
                      ? 'staff-'
                      : file === 'lab'
                        ? 'lab-'
                        : '';
                    return `${part}texts-${language}`;
                  },
                },
              ],
            },
          },
        },
      },
    },
    ssr: {
      build: {
        rollupOptions: {
          input: {
            server: './src/server.ts',
            worker: './src/worker.ts',
            migrate: './src/migrate.ts',
            'verify-audit': './src/verify-audit.ts',
          },
        },
      },
    },
  },
});
