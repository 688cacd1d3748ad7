import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { getMimeType } from 'hono/utils/mime';
import type { EncodedAnswer } from './encoded-answer.server.ts';

/** The compressed copies that the build writes beside a file. */
const PACKED = /\.(br|gz)$/;

/**
 * Reads built browser files once, some five megabytes, and caches them with their compressed copies; names under
 * /assets/ contain a hash and never change. `headersFor` adds the headers that every answer has. Returns the answer to
 * a path, undefined where there is no file.
 */
export function makeFileCache(
  folder: string,
  headersFor: (own: Headers) => Headers,
): (pathname: string) => EncodedAnswer | undefined {
  const names = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'));
  const present = new Set(names);
  const files = new Map<string, EncodedAnswer>();
  for (const name of names.filter((one) => !PACKED.test(one))) {
    const read = (ending = '') =>
      present.has(name + ending) ? readFileSync(join(folder, name + ending)) : undefined;
    const isHashed = name.startsWith('assets/');
    const headers = headersFor(
      new Headers({
        'Content-Type': getMimeType(name) ?? 'application/octet-stream',
        'Cross-Origin-Resource-Policy': 'cross-origin',
        'Cache-Control': isHashed ? 'public, max-age=31536000, immutable' : 'public, max-age=3600',
      }),
    );
    files.set(`/${name}`, {
      headers: Object.fromEntries(headers),
      bodies: { br: read('.br'), gzip: read('.gz'), identity: readFileSync(join(folder, name)) },
    });
  }
  return (pathname) => files.get(pathname);
}
