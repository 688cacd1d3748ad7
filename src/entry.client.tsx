import { parse } from 'devalue';
import { rememberLanguage } from './ui/remember-language.ts';
import { retargetClicks } from './ui/retarget-clicks.ts';
import { tolerateTranslation } from './ui/tolerate-translation.ts';
import { PAGE_DATA_ID, PAGE_FILES_ID } from './ui/page/page-data.ts';
import { FAILED_EVENT } from './ui/unscripted.ts';
import { runPage } from './app/pages/run-page.tsx';

rememberLanguage();
retargetClicks();
tolerateTranslation();

// Not awaited here, because the page's own file imports this one and would wait for it.
const textOf = (id: string) => document.getElementById(id)?.textContent;
const [data, files] = [textOf(PAGE_DATA_ID), textOf(PAGE_FILES_ID)];
if (data && files) void runPage(JSON.parse(files), parse(data)).catch(fallBack);
else void import('./app/pages/run-desk.tsx').then(({ runDesk }) => runDesk());

/** A file of the page is missing, or this browser cannot read it. */
function fallBack(error: unknown): never {
  dispatchEvent(new Event(FAILED_EVENT));
  throw error;
}
