import { rememberLanguage } from './ui/remember-language.ts';
import { keepPresses } from './ui/keep-presses.ts';
import { PAGE_DATA_ID } from './ui/page/page-data.ts';
import { runPage } from './run-page.tsx';

rememberLanguage();
keepPresses();

// Not awaited here: the page's own file imports this one, and would wait for it.
const data = document.getElementById(PAGE_DATA_ID)?.textContent;
if (data) void runPage(JSON.parse(data));
else void import('./run-desk.tsx').then(({ runDesk }) => runDesk());
