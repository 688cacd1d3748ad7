import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { clearCookie, openCookie, secretCookie } from './cookies.server.ts';
import { projectRoot } from '../config/root.server.ts';

const at = (publicUrl: string) => ({ config: { publicUrl } });
const tls = at('https://lale.example');
const loopback = at('http://127.0.0.1:3000');

describe('a cookie', () => {
  it('that is a secret is out of reach of scripts, other sites, other hosts and clear transport', () => {
    expect(secretCookie(tls, 'a', 'x', { maxAgeSeconds: 60 })).toBe(
      '__Host-a=x; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=60',
    );
    expect(secretCookie(loopback, 'a', 'x')).toBe('a=x; Path=/; HttpOnly; SameSite=Lax');
  });

  it('that our scripts read as well is not', () => {
    expect(openCookie(tls, 'a', 'x', 60)).toBe('a=x; Path=/; SameSite=Lax; Secure; Max-Age=60');
    expect(openCookie(loopback, 'a', 'x', 60)).toBe('a=x; Path=/; SameSite=Lax; Max-Age=60');
  });

  it('that was planted goes, with a prefix as well', () => {
    expect(clearCookie('a')).toBe('a=; Path=/; Max-Age=0');
    // A browser ignores this one without Secure, and the bad cookie would stay.
    expect(clearCookie('__Host-a')).toBe('__Host-a=; Path=/; Secure; Max-Age=0');
    expect(clearCookie('__secure-a')).toContain('; Secure');
  });
});

it('no other file writes a cookie by hand', () => {
  const here = 'src/platform/http/cookies.server.ts';
  /** The choice of language, which scripts keep as well. */
  const inBrowsers = 'src/ui/remember-language.ts';
  /** Names the header in the description of the calls. */
  const described = 'src/app/api/api-description.server.ts';
  const excepted = [here, inBrowsers, described];
  const files = globSync('src/**/*.{ts,tsx}', { cwd: projectRoot }).filter(
    (file) => !/\.test\.tsx?$/.test(file) && !excepted.includes(file),
  );
  expect(files.length).toBeGreaterThan(500);
  const byHand = files.filter((file) =>
    /set-cookie|httponly|samesite|as SetCookie|hono\/cookie|createCookie|document\.cookie/i.test(
      readFileSync(join(projectRoot, file), 'utf8'),
    ),
  );
  expect(byHand).toEqual([]);
});
