import type { Agent } from 'node:http';
import { Browser, expectStatus, textOf } from './browser.ts';
import { applied, apply, atArrival, startPayment, wizard } from './journeys.ts';
import type { RowId } from './limits.ts';
import { again, forEachOf, type Work } from './measure.ts';

export const CONTENT_PAGE = '/en/faq';
/** Applications that are looked up; more than a cache of one. */
const LOOKED_UP = 50;

/** The work of each row measured over HTTP, except the desk's. */
export async function makeWorks(port: number, agent: Agent) {
  const visitor = new Browser(port, agent);
  const inWizard = await atArrival(port, agent);
  const numbers = await Promise.all(
    Array.from({ length: LOOKED_UP }, async () => (await applied(port, agent)).number),
  );
  const content = await visitor.get(CONTENT_PAGE);
  const page = (path: string, browser = visitor) =>
    again(async () => expectStatus(await browser.get(path), 200, path));

  const style = sheetOf(textOf(content));
  const works = {
    wizard: again(() => wizard(port, agent)),
    'first-page': page('/application', inWizard),
    'arrival-page': page('/application/arrival', inWizard),
    apply: again(() => apply(new Browser(port, agent))),
    pay: forEachOf(() => applied(port, agent), startPayment),
    content: page(CONTENT_PAGE),
    asset: again(async () => expectStatus(await visitor.asset(style), 200, style)),
    status: again(async (turn) => {
      const path = `/status?ref=${numbers[turn % numbers.length]}`;
      return expectStatus(await new Browser(port, agent).get(path), 200, path);
    }),
  } as const satisfies Partial<Record<RowId, Work>>;
  return {
    works,
    samples: {
      content,
      asset: await visitor.asset(style),
      first: await inWizard.get('/application'),
      arrival: await inWizard.get('/application/arrival'),
    },
  };
}

function sheetOf(html: string): string {
  const [, path] = /<link[^>]*href="(\/assets\/[^"#]+\.css)["#]/.exec(html) ?? [];
  if (!path) throw new Error('The content page names no style sheet');
  return path;
}
