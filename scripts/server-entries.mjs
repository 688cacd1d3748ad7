/** The files that `build/server` is run from: name and source. */
export const serverEntries = {
  server: './src/server.ts',
  worker: './src/worker.ts',
  cli: './src/cli.ts',
  'pdf-worker': './src/features/desk/application/pdf-worker.server.ts',
};
