/** No type that a browser knows: the script waits. */
const WAITING = 'text/later-module';

const PRELOAD = /<link rel="modulepreload" href="([^"]+)"[^>]*>/g;
const MODULE = / type="module" async="">/;

/**
 * Begins a page's scripts with its second frame. React Router's document has every file fetched beside the style sheet and
 * the fonts, four times as much as these; so what is seen first has the line to itself, and where nothing is seen
 * (a page in the background) nothing waits. A document without scripts stays as it is.
 */
export function beginScriptsLater(html: string, nonce: string): string {
  if (!MODULE.test(html)) return html;
  const files = [...html.matchAll(PRELOAD)].map(([, href = '']) => href);
  return html
    .replaceAll(PRELOAD, '')
    .replace(MODULE, ` type="${WAITING}">`)
    .replace(
      '</body>',
      () => `<script nonce="${nonce}">(${start})(${JSON.stringify(files)})</script></body>`,
    );
}

/** Runs in the browser. */
const start = `files => {
  const start = () => {
    for (const href of files) document.head.append(Object.assign(document.createElement('link'), { rel: 'modulepreload', href }));
    const { nonce, text } = document.querySelector('script[type="${WAITING}"]');
    document.head.append(Object.assign(document.createElement('script'), { type: 'module', nonce, text }));
  };
  document.hidden ? start() : requestAnimationFrame(() => requestAnimationFrame(start));
}`.replaceAll(/\n\s*/g, ' ');
