import { runInNewContext } from 'node:vm';
import { describe, expect, it, test, beforeAll } from 'vitest';
import fc from 'fast-check';
import { adultForm, formRequest, visitor } from '~/features/insurance/testing/visit.ts';
import { seedInsurance } from '~/features/insurance/store/seed.server.ts';
import { seedAll } from '~/features/catalog/seed.server.ts';
import { seedVisaPrices } from '~/features/visa/store/store.server.ts';
import { NOW } from '~/features/visa/testing/sample-answers.ts';
import { southAfrican, storeCountries } from '~/features/visa/testing/sample-browser.server.ts';
import { storeStaff } from '~/features/desk/application/testing/case-store.server.ts';
import { hashPassword } from '~/platform/crypto/crypto.server.ts';
import { makeTestApp } from '../../../test/pages.ts';
import { makeTestPlatform } from '../../../test/platform.ts';
import { contentPolicy, combineHandles } from './content-policy.ts';
import { blockedOrigin, reportedDirective } from './csp-reports.server.ts';
import { routerScripts } from './later-scripts.server.ts';
import { RUN_EVENT } from './mark-run.tsx';

const gatewayOrigins = ['https://gateway.example'];
const policyOf = (...handles: unknown[]) =>
  new Map(
    contentPolicy(combineHandles(handles), { inline: "'nonce-n0nce'", gatewayOrigins })
      .split('; ')
      .map((directive) => {
        const [name, ...sources] = directive.split(' ');
        return [name ?? '', sources] as const;
      }),
  );

describe('the content security policy', () => {
  it('allows our own origin alone, and inline only what bears the nonce', () => {
    const policy = policyOf(undefined, {});
    expect(policy.get('default-src')).toEqual(["'none'"]);
    expect(policy.get('script-src')).toEqual(["'self'", "'nonce-n0nce'"]);
    expect(policy.get('connect-src')).toEqual(["'self'"]);
    expect(policy.get('form-action')).toEqual(["'self'"]);
    expect(policy.get('frame-src')).toEqual(["'none'"]);
  });

  it('allows styles in the document in development alone', () => {
    expect(policyOf({}).get('style-src')).toEqual(["'self'"]);
    const about = { inline: '', gatewayOrigins: [] };
    const production = contentPolicy(combineHandles([{}]), about);
    const development = contentPolicy(combineHandles([{}]), { ...about, inlineStyles: true });
    expect(development).toBe(
      production.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'"),
    );
  });

  it('allows a page without scripts of its own no inline script', () => {
    expect(policyOf({ scriptFree: true }).get('script-src')).toEqual(["'self'"]);
  });

  it('lets the redirect page alone post to the gateway', () => {
    const policy = policyOf({}, { postsToGateway: true });
    expect(policy.get('form-action')).toEqual(["'self'", 'https://gateway.example']);
    expect(policy.get('connect-src')).toEqual(["'self'"]);
  });

  it('lets pages with PayPal’s script reach PayPal, and no page else', () => {
    const paypal = policyOf({ paypalScript: true });
    for (const name of ['script-src', 'connect-src', 'frame-src', 'img-src']) {
      expect(paypal.get(name)).toContain('https://*.paypal.com');
      expect(policyOf({ paypalScript: 'yes' }).get(name)).not.toContain('https://*.paypal.com');
    }
    expect(paypal.get('form-action')).toEqual(["'self'"]);
  });
});

test.each([
  ['https://evil.example/a/TRV7K2M9QXD4HPBR?token=abc#x', 'https://evil.example'],
  ['https://somebody:secret@evil.example:8443/a', 'https://evil.example:8443'],
  ['wss://evil.example/socket?email=a@b.example', 'wss://evil.example'],
  ['blob:https://lale.example/0b1c', 'https://lale.example'],
  ['data:text/html,somebody@example.org', 'data:'],
  ['data', 'data:'],
  ['chrome-extension', 'chrome-extension:'],
  ['inline', 'inline'],
  ['eval', 'eval'],
  ['', 'other'],
  ['/application?code=1', 'other'],
  [`https://${'a'.repeat(60)}.${'b'.repeat(60)}.example/`, 'other'],
])('of %s stays %s', (named, expected) => {
  expect(blockedOrigin(named)).toBe(expected);
});

test('no path, query or name of a user stays of any address', () => {
  fc.assert(
    fc.property(
      fc.webUrl({ withQueryParameters: true, withFragments: true }),
      fc.stringMatching(/^[A-Z0-9]{16}$/),
      (url, number) => {
        const origin = blockedOrigin(`${url}/${number}?ref=${number}`);
        expect(origin).not.toContain(number);
        expect(origin).toMatch(/^(other|[a-z]+:\/\/[^/?#@]+)$/);
      },
    ),
  );
});

test.each([
  ['script-src-elem', 'script-src-elem'],
  ["script-src 'self' https://a.example", 'script-src'],
  ['TRV7K2M9QXD4HPBR', 'other'],
  ['', 'other'],
  ['constructor', 'other'],
])('the directive %j is %s', (named, expected) => {
  expect(reportedDirective(named)).toBe(expected);
});

const route = (id: string, imports: string[]) => ({
  id,
  module: `/assets/${id}.js`,
  imports,
  hasAction: false,
  hasLoader: true,
  hasClientAction: false,
  hasClientLoader: false,
  hasClientMiddleware: false,
  hasErrorBoundary: false,
  clientActionModule: undefined,
  clientLoaderModule: undefined,
  clientMiddlewareModule: undefined,
  hydrateFallbackModule: undefined,
});
const assets = {
  entry: { module: '/assets/entry.js', imports: ['/assets/a.js'] },
  url: '/assets/manifest.js',
  version: '1',
  routes: { root: route('root', ['/assets/a.js']), desk: route('desk', ['/assets/b.js']) },
};
const STATE = '["a","</script><script>alert(1)</script>\u2028"]\n';
const html = routerScripts(assets, {
  ids: ['root', 'desk'],
  nonce: 'n',
  handoff: '{"basename":"/"}',
  state: STATE,
});
const scripts = [
  ...html.matchAll(/<script nonce="n"([^>]*)>([^<]*(?:<(?!\/script)[^<]*)*)<\/script>/g),
];

/** What a browser does with the document's last script, in a window of `hidden` or not. */
function begin(hidden: boolean) {
  const appended: Record<string, unknown>[] = [];
  const frames: (() => void)[] = [];
  const document = {
    hidden,
    head: { append: (element: Record<string, unknown>) => void appended.push(element) },
    createElement: (name: string) => ({ name }),
    documentElement: { classList: { add: () => undefined } },
    querySelectorAll: () => [],
    querySelector: () => ({ nonce: 'n', text: 'import "/assets/a.js";' }),
  };
  const requestAnimationFrame = (frame: () => void) => void frames.push(frame);
  const listeners = new Map<string, (event?: unknown) => void>();
  runInNewContext(scripts.at(-1)?.[2] ?? '', {
    document,
    requestAnimationFrame,
    addEventListener: (type: string, listener: () => void) => listeners.set(type, listener),
    removeEventListener: (type: string) => listeners.delete(type),
  });
  /** Sends a form, and says whether the browser went on with that, and what was sent later. */
  const submit = () => {
    const sent: unknown[] = [];
    let isHeld = false;
    listeners.get('submit')?.({
      preventDefault: () => (isHeld = true),
      target: { requestSubmit: (button: unknown) => void sent.push(button) },
      submitter: 'Assign',
    });
    return { isHeld: () => isHeld, sent };
  };
  return {
    appended,
    frame: () => frames.shift()?.(),
    submit,
    run: () => listeners.get(RUN_EVENT)?.(),
  };
}

test('fetches no script before the second frame, then all at once', () => {
  const { appended, frame } = begin(false);
  frame();
  expect(appended).toEqual([]);
  frame();
  const links = ['manifest', 'entry', 'a', 'root', 'desk', 'b'].map((name) => ({
    name: 'link',
    rel: 'modulepreload',
    href: `/assets/${name}.js`,
  }));
  expect(appended).toMatchObject([
    ...links,
    { name: 'script', type: 'module', nonce: 'n', text: 'import "/assets/a.js";' },
  ]);
});

test('does not wait for frames that a page in the background never has', () => {
  expect(begin(true).appended).toHaveLength(7);
});

test('a form that is sent before the scripts run waits for them, or is sent as without them', () => {
  const page = begin(true);
  const early = page.submit();
  expect([early.isHeld(), early.sent]).toEqual([true, []]);
  page.run();
  expect(early.sent).toEqual(['Assign']);
  expect(page.submit().isHeld()).toBe(false);

  const broken = begin(true);
  const form = broken.submit();
  const fail: unknown = broken.appended.at(-1)?.onerror;
  if (typeof fail === 'function') fail();
  expect(form.sent).toEqual(['Assign']);
  expect(broken.submit().isHeld()).toBe(false);
});

test('hands the router what it begins with, whatever stands in it', async () => {
  expect(scripts).toHaveLength(4);
  const window: Record<string, { basename: string; stream: ReadableStream }> = {};
  const page = { window, ReadableStream, TextEncoderStream };
  for (const [, , code = ''] of scripts.slice(0, 2)) runInNewContext(code, page);
  const [begun] = Object.values(window);
  expect(begun?.basename).toBe('/');
  expect(await new Response(begun?.stream).text()).toBe(STATE);
});

test('names the modules of the page’s routes, and runs the framework’s after them', () => {
  expect(scripts[2]?.[1]).toBe(' type="text/later-module"');
  expect(scripts[2]?.[2]).toBe(
    'import "/assets/manifest.js";import * as route0 from "/assets/root.js";import * as route1 from "/assets/desk.js";' +
      'window.__reactRouterRouteModules = {"root":route0,"desk":route1};import("/assets/entry.js");',
  );
});

describe('cookie check', async () => {
  const platform = await makeTestPlatform({ now: NOW });
  const app = makeTestApp(platform);

  beforeAll(async () => {
    await storeCountries(platform);
    await platform.db.transaction((tx) => seedVisaPrices(tx, NOW));
    await seedAll(platform.db, [seedInsurance], NOW);
  });

  const fields = (entries: Record<string, string>): RequestInit => ({
    method: 'POST',
    body: new URLSearchParams(entries),
  });
  const first = fields({ ...southAfrican, intent: 'next' });

  /** A browser that keeps nothing, and follows. */
  async function follow(path: string, init: RequestInit, accept = 'text/html'): Promise<Response> {
    const headers = new Headers(init.headers);
    headers.set('accept', accept);
    const answer = await app.request(path, { ...init, headers });
    const to = answer.headers.get('location');
    return to === null || answer.status < 300 || answer.status > 399
      ? answer
      : follow(to, { headers });
  }

  const NEEDED = {
    en: 'Your browser blocks cookies',
    de: 'Ihr Browser blockiert Cookies',
    ar: 'متصفحك يحظر ملفات تعريف الارتباط',
  };

  describe('a browser that keeps no cookie is told', () => {
    test.each(['text/html', '*/*'])('after the first page, asked as %s', async (accept) => {
      expect(await (await follow('/application', first, accept)).text()).toContain(NEEDED.en);
    });

    test('in its language', async () => {
      expect(await (await follow('/ar/application', first)).text()).toContain(NEEDED.ar);
      const german = { ...first, headers: { 'accept-language': 'de' } };
      expect(await (await follow('/application', german)).text()).toContain(NEEDED.de);
    });

    test('where scripts sent the page', async () => {
      const answer = await app.request('/application', {
        ...first,
        headers: { accept: 'application/json' },
      });
      const [, to = ''] = /"(\/application[^"]*)"/.exec(await answer.text()) ?? [];
      expect(await (await follow(to, {})).text()).toContain(NEEDED.en);
    });

    test('after the insurance form', async () => {
      expect(
        await (
          await follow('/insurance', formRequest({ ...adultForm, nationality: 'ZAF' }))
        ).text(),
      ).toContain(NEEDED.en);
    });

    test('who signs in at the desk', async () => {
      const password = 'correct horse battery';
      const { email } = await storeStaff(platform, { passwordHash: await hashPassword(password) });
      const answer = await follow('/admin', fields({ email, password }));
      const html = await answer.text();
      expect(html).toContain(NEEDED.en);
      expect(html).toContain('href="/admin"');
    });
  });

  describe('a browser that keeps cookies', () => {
    test('goes on to the plain address', async () => {
      const visit = visitor(app)();
      const accept = { headers: { accept: 'text/html' } };
      const { location } = await visit('/application', { ...first, ...accept });
      expect((await visit(location, accept)).location).toBe('/application/what-it-allows');
      const later = await visit('/application/what-it-allows', { ...first, ...accept });
      expect(later.location).toBe('/application/arrival');
    });
  });
});
