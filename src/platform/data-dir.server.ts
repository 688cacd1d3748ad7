import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Makes the data folder and tries to write into it; says what is wrong, or nothing. */
export function dataDirMistake(dataDir: string): string | undefined {
  const probe = join(dataDir, `.write-test-${process.pid}`);
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o755 });
    writeFileSync(probe, '');
    rmSync(probe, { force: true });
    return undefined;
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    return `DATA_DIR: cannot write to ${dataDir} (${reason})`;
  }
}
