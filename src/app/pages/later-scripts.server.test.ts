import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { routerScripts } from './later-scripts.server.ts';
import { RUN_EVENT } from './mark-run.tsx';

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
