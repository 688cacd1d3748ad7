import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { beginScriptsLater } from './later-scripts.server.ts';

const page =
  '<html><head><link rel="modulepreload" href="/assets/a.js" nonce="n"/>' +
  '<link rel="stylesheet" href="/assets/a.css"/><link rel="modulepreload" href="/assets/b.js"/></head>' +
  '<body><script nonce="n">window.data = 1</script>' +
  '<script nonce="n" type="module" async="">import "/assets/a.js";</script></body></html>';

/** What a browser does with the document's last script, in a window of `hidden` or not. */
function begin(html: string, hidden: boolean) {
  const appended: Record<string, unknown>[] = [];
  const frames: (() => void)[] = [];
  const [, code = ''] = /<script nonce="n">([^<]*)<\/script><\/body>/.exec(html) ?? [];
  const document = {
    hidden,
    head: { append: (element: Record<string, unknown>) => void appended.push(element) },
    createElement: (name: string) => ({ name }),
    querySelector: () => ({ nonce: 'n', text: 'import "/assets/a.js";' }),
  };
  const requestAnimationFrame = (frame: () => void) => void frames.push(frame);
  runInNewContext(code, { document, requestAnimationFrame });
  return { appended, frame: () => frames.shift()?.() };
}

test('fetches no script before the second frame, then all at once', () => {
  const html = beginScriptsLater(page, 'n');
  expect(html).not.toContain('modulepreload" href="/assets');
  expect(html).not.toContain('type="module" async');
  expect(html).toContain('<link rel="stylesheet" href="/assets/a.css"/>');
  const { appended, frame } = begin(html, false);
  frame();
  expect(appended).toEqual([]);
  frame();
  expect(appended).toEqual([
    { name: 'link', rel: 'modulepreload', href: '/assets/a.js' },
    { name: 'link', rel: 'modulepreload', href: '/assets/b.js' },
    { name: 'script', type: 'module', nonce: 'n', text: 'import "/assets/a.js";' },
  ]);
});

test('does not wait for frames that a page in the background never has', () => {
  expect(begin(beginScriptsLater(page, 'n'), true).appended).toHaveLength(3);
});

test('leaves a document without the framework’s scripts as it is', () => {
  const plain = '<html><body><script src="/assets/page.js" type="module"></script></body></html>';
  expect(beginScriptsLater(plain, 'n')).toBe(plain);
});
