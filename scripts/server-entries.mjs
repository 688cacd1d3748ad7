/** The files that `build/server` is run from: name and source. */
export const serverEntries = {
  server: './src/server.ts',
  worker: './src/worker.ts',
  migrate: './src/migrate.ts',
  'verify-audit': './src/verify-audit.ts',
  'pdf-worker': './src/features/desk/visa-document/pdf-worker.server.ts',
  'staff-reset': './src/staff-reset.ts',
  backup: './src/backup.ts',
  'backup-keys': './src/backup-keys.ts',
  restore: './src/app/backup/restore.server.ts',
  rehash: './src/app/reencrypt/rehash.server.ts',
  reencrypt: './src/reencrypt.ts',
  retention: './src/features/desk/retention/print-retention.server.ts',
  erasures: './src/erasures.ts',
  doctor: './src/features/desk/setup/doctor.server.ts',
  keys: './src/keys.ts',
};
