import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
const TEXT = /\.(js|css|svg|json|txt|webmanifest)$/;
const WORTH_BYTES = 512;

/**
 * Writes `.br` and `.gz` beside every built text file for browsers, at the highest level. Works on the written files,
 * because Vite still replaces placeholders in chunks after bundling.
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

/** Compresses files written after bundling: React Router's manifest, which every interactive page loads. */
export async function packRest(folder: string): Promise<void> {
  const names = await readdir(folder);
  for (const name of names.filter((one) => MANIFEST.test(one))) {
    const path = join(folder, name);
    await writeFile(path, shortManifest(await readFile(path, 'utf8')));
  }
  const rest = names.filter((name) => TEXT.test(name) && !names.includes(`${name}.br`));
  await Promise.all(rest.map((name) => pack(join(folder, name))));
}

const MANIFEST = /^manifest-.*\.js$/;

/**
 * React Router's manifest without what browsers never read, a third of it: the imports of each page's file (used by
 * prefetching links, of which we have none) and empty fields. The server has its own manifest.
 */
export function shortManifest(manifest: string): string {
  const shorter = manifest
    .replaceAll(/,"imports":\[[^\]]*\]/g, ',"imports":[]')
    .replaceAll(/,"has\w+":false/g, '');
  if (shorter === manifest) throw new Error('The manifest is written otherwise');
  return shorter;
}

async function pack(path: string) {
  const source = await readFile(path);
  if (source.length < WORTH_BYTES) return;
  const strongest = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
  await writeFile(`${path}.br`, await brotli(source, strongest));
  await writeFile(`${path}.gz`, await zip(source, { level: 9 }));
}
