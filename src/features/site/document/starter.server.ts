import { createHash } from 'node:crypto';
import { PAGE_FILES_ID } from '~/ui/page/page-data.ts';

/**
 * Begins a page's scripts with its second frame, in the browser. Its style sheet and fonts have the line to themselves until
 * then, and where nothing is seen (a page in the background) nothing waits. The same on every page, so that the content
 * policy names it by its hash.
 */
export const STARTER = `{
  const start = () => {
    const { modules, preloads, entry } = JSON.parse(document.getElementById("${PAGE_FILES_ID}").textContent);
    for (const href of [...entry, ...preloads, ...modules]) document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
    entry.reduce((before, href) => before.then(() => import(href)), Promise.resolve());
  };
  document.hidden ? start() : requestAnimationFrame(() => requestAnimationFrame(start));
}`.replaceAll(/\n\s*/g, ' ');

/** As a content policy names it. */
export const STARTER_HASH = `'sha256-${createHash('sha256').update(STARTER).digest('base64')}'`;
