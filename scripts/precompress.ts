import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { Plugin } from 'vite';

const brotli = promisify(brotliCompress);
const zip = promisify(gzip);
const TEXT = /\.(js|css|svg|json|txt|webmanifest)$/;
const WORTH_BYTES = 1024;

/** Lays `.br` and `.gz` beside every built browser file of text, at full strength: it is done once. */
export function precompress(): Plugin {
  return {
    name: 'lale:precompress',
    apply: 'build',
    enforce: 'post',
    applyToEnvironment: (environment) => environment.name === 'client',
    async generateBundle(_options, bundle) {
      await Promise.all(
        Object.values(bundle).map(async (file) => {
          if (!TEXT.test(file.fileName)) return;
          const source = Buffer.from(file.type === 'chunk' ? file.code : file.source);
          if (source.length < WORTH_BYTES) return;
          const strongest = { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } };
          this.emitFile({
            type: 'asset',
            fileName: `${file.fileName}.br`,
            source: await brotli(source, strongest),
          });
          this.emitFile({
            type: 'asset',
            fileName: `${file.fileName}.gz`,
            source: await zip(source, { level: 9 }),
          });
        }),
      );
    },
  };
}
