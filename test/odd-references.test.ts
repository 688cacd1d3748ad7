import { expect, test } from 'vitest';
import { makeTestApp } from './pages.ts';
import { makeTestPlatform } from './platform.ts';

const app = makeTestApp(await makeTestPlatform());

/** What a header cannot contain unescaped: line breaks, letters beyond Latin-1, and characters with a meaning there. */
const odd = ['\r\nSet-Cookie: a=b', '€', 'لاله', '&order=x#y', '//evil.example', 'a b'];

test.each(['/application/change', '/insurance/change'])(
  '%s leads on with whatever stands in its address',
  async (page) => {
    for (const ref of odd) {
      for (const intent of ['leave', 'change']) {
        const answer = await app.request(`${page}?ref=${encodeURIComponent(ref)}`, {
          method: 'POST',
          headers: { origin: 'http://localhost', accept: 'text/html' },
          body: new URLSearchParams({ intent }),
        });
        expect(answer.status, `${ref} ${intent}`).toBe(303);
        const { searchParams, hash, origin } = new URL(
          answer.headers.get('location') ?? '',
          'http://localhost',
        );
        expect(origin).toBe('http://localhost');
        expect([...searchParams]).toEqual([['ref', ref]]);
        expect(hash).toBe('');
        expect(answer.headers.get('set-cookie') ?? '').not.toContain('a=b');
      }
    }
  },
);
