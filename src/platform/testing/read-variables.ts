import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, inject } from 'vitest';
import { ConfigError, readConfig } from '../config/config.server.ts';

/** A data folder with secrets, and what variables give with it. Call it at the top of a test file. */
export function readVariables() {
  const folder = mkdtempSync(join(tmpdir(), 'test-config-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  copyFileSync(join(inject('secretsFolder'), 'secrets.json'), join(folder, 'secrets.json'));

  const read = (variables: Record<string, string> = {}) =>
    readConfig({ DATA_DIR: folder, ...variables });

  /** What is wrong with variables, a line for each. */
  function mistakes(variables: Record<string, string>): readonly string[] {
    try {
      read(variables);
    } catch (error) {
      if (error instanceof ConfigError) return error.mistakes;
      throw error;
    }
    return [];
  }

  return { folder, mistakes, read };
}
