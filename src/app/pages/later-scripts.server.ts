import type { EntryContext } from 'react-router';
import { FALL_BACK } from '~/features/site/document/starter.server.ts';
import { RUN_EVENT } from './mark-run.tsx';

/** A type that browsers do not run: `start` makes a module script of it. */
const WAITING = 'text/later-module';

type Assets = EntryContext['manifest'];
type Scripted = { ids: readonly string[]; nonce: string; handoff: string; state: string };

/**
 * The scripts of a page that React Router runs in the browser, as its `Scripts` would write them, but started with the
 * page's second frame: otherwise all their files are fetched together with the style sheet and the fonts, and are four
 * times as large. A page in the background draws no frame and starts them at once. `ids`: of the page's routes,
 * outermost first; `handoff` and `state`: what the router begins with, see `EntryContext`.
 */
export function routerScripts(assets: Assets, { ids, nonce, handoff, state }: Scripted): string {
  const { files, modules } = scriptsOf(assets, ids);
  const script = (text: string, type = '') => `<script nonce="${nonce}"${type}>${text}</script>`;
  return [
    script(
      `window.__reactRouterContext = ${handoff};window.__reactRouterContext.stream = new ReadableStream({start(controller){window.__reactRouterContext.streamController = controller;}}).pipeThrough(new TextEncoderStream());`,
    ),
    script(
      `window.__reactRouterContext.streamController.enqueue(${inScript(state)});window.__reactRouterContext.streamController.close();`,
    ),
    script(modules, ` type="${WAITING}"`),
    script(`(${start})(${files})`),
  ].join('');
}

/** A string literal for an inline script; nothing in it can end the script element. */
const inScript = (text: string): string =>
  JSON.stringify(text)
    .replaceAll('<', String.raw`\u003c`)
    .replaceAll('\u2028', String.raw`\u2028`)
    .replaceAll('\u2029', String.raw`\u2029`);

const cache = new WeakMap<Assets, Map<string, { files: string; modules: string }>>();

/** The files that the scripts of a route's pages need, and the code that runs them; the same in every request. */
function scriptsOf(assets: Assets, ids: readonly string[]) {
  const ofAssets = cache.get(assets) ?? new Map<string, { files: string; modules: string }>();
  cache.set(assets, ofAssets);
  const key = ids.join(' ');
  const found = ofAssets.get(key);
  if (found) return found;
  const { entry, url, hmr } = assets;
  const routes = ids.flatMap((id) => {
    const route = assets.routes[id];
    return route ? [route] : [];
  });
  const files = routes.flatMap(({ module, imports = [] }) => [module, ...imports]);
  const all = new Set([url, entry.module, ...entry.imports, ...files]);
  const text = (value: string) => JSON.stringify(value);
  const made = {
    files: JSON.stringify([...all]),
    modules: [
      ...(hmr?.runtime ? [`import ${text(hmr.runtime)};`] : []),
      `import ${text(url)};`,
      ...routes.map(({ module }, index) => `import * as route${index} from ${text(module)};`),
      `window.__reactRouterRouteModules = {${routes.map(({ id }, index) => `${text(id)}:route${index}`).join(',')}};`,
      `import(${text(entry.module)});`,
    ].join(''),
  };
  ofAssets.set(key, made);
  return made;
}

/**
 * Runs in the browser. A form that is sent before the scripts run would load the page anew, and with it would go what is
 * half typed in the page's other forms: it waits for them. Where they fail to load, it is sent as without scripts.
 */
const start = `files => {
  let waiting;
  const hold = event => { event.preventDefault(); waiting = event; };
  const release = () => {
    removeEventListener('submit', hold, true);
    if (waiting) waiting.target.requestSubmit(waiting.submitter);
    waiting = undefined;
  };
  addEventListener('submit', hold, true);
  addEventListener('${RUN_EVENT}', release, { once: true });
  const fail = () => { (${FALL_BACK})(); release(); };
  const start = () => {
    for (const href of files) document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
    const { nonce, text } = document.querySelector('script[type="${WAITING}"]');
    document.head.append(Object.assign(document.createElement('script'), { type: 'module', nonce, text, onerror: fail }));
  };
  document.hidden ? start() : requestAnimationFrame(() => requestAnimationFrame(start));
}`.replaceAll(/\n\s*/g, ' ');
