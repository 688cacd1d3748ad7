import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';

/** A service whose visitors each have an address of their own, so that tests do not share rate limits. */
export async function unlimitedVisits() {
  const platform = await makeTestPlatform({ variables: { TRUST_PROXY: 'yes' } });
  const app = makeTestApp(platform);
  let visitor = 0;
  const request = (path: string, { headers, ...init }: RequestInit = {}) => {
    const all = new Headers(headers);
    all.set('x-forwarded-for', `192.0.2.${visitor++}`);
    return app.request(path, { ...init, headers: all });
  };

  async function page(path: string, init?: RequestInit) {
    const response = await request(path, init);
    const html = await response.text();
    // The visible page, without the data for its scripts.
    return {
      response,
      html: html.split('<script id="page-data"')[0]?.replaceAll('<!-- -->', '') ?? '',
    };
  }
  return { page, platform, request };
}
