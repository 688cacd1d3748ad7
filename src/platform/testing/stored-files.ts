import { readdirSync } from 'node:fs';
import { join } from 'node:path';

/** Ids of the files that a service keeps in its data folder. */
export const storedFiles = (dataDir: string): string[] =>
  readdirSync(join(dataDir, 'files'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name)
    .toSorted();
