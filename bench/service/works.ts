import type { Agent } from 'node:http';
import { Browser, expectStatus, bodyText } from './browser.ts';
import { makeUnpaidApplication, apply, openArrival, startPayment, walkWizard } from './journeys.ts';
import type { RowId } from './limits.ts';
import { repeatRequest, requestEach, type MeasuredWork } from './measure.ts';

export const CONTENT_PAGE = '/en/faq';
/** Applications that are looked up; more than a cache of one. */
const LOOKED_UP = 50;

/** The work of each row measured over HTTP, except the desk's. */
export async function makeWorks(port: number, agent: Agent) {
  const visitor = new Browser(port, agent);
  const inWizard = await openArrival(port, agent);
  const numbers = await Promise.all(
    Array.from(
      { length: LOOKED_UP },
      async () => (await makeUnpaidApplication(port, agent)).number,
    ),
  );
  const content = await visitor.get(CONTENT_PAGE);
  const page = (path: string, browser = visitor) =>
    repeatRequest(async () => expectStatus(await browser.get(path), 200, path));

  const style = sheetOf(bodyText(content));
  const works = {
    wizard: repeatRequest(() => walkWizard(port, agent)),
    'first-page': page('/application', inWizard),
    'arrival-page': page('/application/arrival', inWizard),
    apply: repeatRequest(() => apply(new Browser(port, agent))),
    pay: requestEach(() => makeUnpaidApplication(port, agent), startPayment),
    content: page(CONTENT_PAGE),
    asset: repeatRequest(async () => expectStatus(await visitor.asset(style), 200, style)),
    status: repeatRequest(async (turn) => {
      const path = `/status?ref=${numbers[turn % numbers.length]}`;
      return expectStatus(await new Browser(port, agent).get(path), 200, path);
    }),
  } as const satisfies Partial<Record<RowId, MeasuredWork>>;
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
