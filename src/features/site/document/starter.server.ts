import { createHash } from 'node:crypto';
import { PAGE_FILES_ID } from '~/ui/page/page-data.ts';
import { FAILED_EVENT, UNSCRIPTED } from '~/ui/unscripted.ts';

/**
 * What a page does whose scripts cannot be loaded or read: it becomes the page that it is without scripts. The class is
 * what `noscript:` looks at in style sheets.
 */
export const FALL_BACK = `() => {
  document.documentElement.classList.add("${UNSCRIPTED}");
  for (const part of document.querySelectorAll("noscript")) part.outerHTML = part.textContent;
}`;

/**
 * Starts a page's scripts with its second animation frame, so that style sheet and fonts are loaded first; in a
 * background tab there is nothing to wait for. The same on every page, so that the content policy can name its hash.
 */
export const STARTER = `{
  const fail = ${FALL_BACK};
  addEventListener("${FAILED_EVENT}", fail, { once: true });
  const start = () => {
    const { modules, preloads, entry } = JSON.parse(document.getElementById("${PAGE_FILES_ID}").textContent);
    for (const href of [...entry, ...preloads, ...modules]) document.head.append(Object.assign(document.createElement("link"), { rel: "modulepreload", href }));
    entry.reduce((before, href) => before.then(() => import(href)), Promise.resolve()).catch(fail);
  };
  document.hidden ? start() : requestAnimationFrame(() => requestAnimationFrame(start));
}`.replaceAll(/\n\s*/g, ' ');

/** The hash as a content policy writes it. */
export const STARTER_HASH = `'sha256-${createHash('sha256').update(STARTER).digest('base64')}'`;
