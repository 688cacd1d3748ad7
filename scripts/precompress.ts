import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
const TEXT = /\.(js|css|svg|json|txt|webmanifest)$/;
const WORTH_BYTES = 1024;

/**
 * Lays `.br` and `.gz` beside every built browser file of text, at full strength: it is done once. Works on the written
 * files, because Vite still replaces marks in the chunks after the bundle was made.
 */
export function precompress(): Plugin {
  return {
    name: 'lale:precompress',
    apply: 'build',
    applyToEnvironment: (environment) => environment.name === 'client',
    writeBundle: {
      order: 'post',
      sequential: true,
      async handler({ dir }, bundle) {
        if (!dir) return;
        const names = Object.keys(bundle).filter((name) => TEXT.test(name));
        await Promise.all(names.map((name) => pack(join(dir, name))));
      },
    },
  };
}

/** What is written after the bundles: React Router's manifest, which every interactive page loads. */
export async function packRest(folder: string): Promise<void> {
  const names = await readdir(folder);
  const rest = names.filter((name) => TEXT.test(name) && !names.includes(`${name}.br`));
  await Promise.all(rest.map((name) => pack(join(folder, name))));
}

async function pack(path: string) {
  const source = await readFile(path);
  if (source.length < WORTH_BYTES) return;
  const strongest = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
  await writeFile(`${path}.br`, await brotli(source, strongest));
  await writeFile(`${path}.gz`, await zip(source, { level: 9 }));
}
