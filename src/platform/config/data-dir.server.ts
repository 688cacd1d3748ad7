import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Makes the data folder and tries to write into it; says what is wrong, or nothing. */
export function dataDirMistake(dataDir: string): string | undefined {
  const probe = join(dataDir, `.write-test-${process.pid}`);
  try {
    makeFolder(dataDir);
    writeFileSync(probe, '');
    rmSync(probe, { force: true });
    return undefined;
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error);
    return `DATA_DIR: cannot write to ${dataDir} (${reason})`;
  }
}

/** Step by step: Node's own `recursive` never returns where a folder cannot be made below one that exists (/proc). */
function makeFolder(path: string): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path));
  mkdirSync(path, { mode: 0o755 });
}
