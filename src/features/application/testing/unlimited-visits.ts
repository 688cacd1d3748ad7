import { makeTestApp } from '../../../../test/pages.ts';
import { makeTestPlatform } from '../../../../test/platform.ts';

/** A service whose visitors each come from an address of their own, so that no test runs into another's limit. */
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
    // Only what a visitor sees: the data for the scripts stands behind it.
    return {
      response,
      html: html.split('<script id="page-data"')[0]?.replaceAll('<!-- -->', '') ?? '',
    };
  }
  return { page, platform, request };
}
