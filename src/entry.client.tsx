import { parse } from 'devalue';
import { rememberLanguage } from './ui/remember-language.ts';
import { retargetClicks } from './ui/retarget-clicks.ts';
import { PAGE_DATA_ID, PAGE_FILES_ID } from './ui/page/page-data.ts';
import { runPage } from './app/pages/run-page.tsx';

rememberLanguage();
retargetClicks();

// Not awaited here, because the page's own file imports this one and would wait for it.
const textOf = (id: string) => document.getElementById(id)?.textContent;
const [data, files] = [textOf(PAGE_DATA_ID), textOf(PAGE_FILES_ID)];
if (data && files) void runPage(JSON.parse(files), parse(data));
else void import('./app/pages/run-desk.tsx').then(({ runDesk }) => runDesk());
