import { randomBytes } from 'node:crypto';
import { Hono } from 'hono';
import { z } from 'zod';
import { Fragment } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { codeMeanings, describeApi, type CallReader } from './api-description.server.ts';
import { mustSetUpSecondFactor } from '~/features/staff/require.server.ts';
import { staffCookieName, requestStaff } from '~/features/staff/session.server.ts';
import type { Platform } from '~/platform/platform.server.ts';

const STYLE = `
body { font: 16px/1.6 system-ui, sans-serif; color: #0b2a3c; background: #fbf8f2; margin: 0; }
main { max-width: 960px; margin: 0 auto; padding: 40px 24px 72px; }
details { background: #fff; border: 1px solid #cfc3af; border-radius: 8px; margin: 12px 0; }
summary { cursor: pointer; padding: 12px 16px; }
code { font-weight: 600; overflow-wrap: anywhere; }
pre { white-space: pre-wrap; overflow-wrap: anywhere; margin: 0; padding: 16px; border-top: 1px solid #e4daca; font-size: 13px; line-height: 1.5; }
a { color: #1f4e9e; }
:focus-visible { outline: 3px solid #1f4e9e; outline-offset: 1px; }
`;

type Description = ReturnType<typeof describeApi>;

/**
 * The description of the calls: OpenAPI for programs, a page for people. In live mode only signed-in staff get the
 * calls of staff, at the same addresses.
 */
export function apiDocs(platform: Platform) {
  const { mode, publicUrl } = platform.config;
  const isTest = mode === 'test';
  const staffCookie = staffCookieName(platform);
  const descriptions: Record<CallReader, Description> = {
    everybody: describeApi(publicUrl, { reader: 'everybody', staffCookie }),
    staff: describeApi(publicUrl, { reader: 'staff', staffCookie }),
  };
  const readerOf = async (request: Request): Promise<CallReader> => {
    if (isTest) return 'staff';
    const staff = await requestStaff(platform, request);
    return staff && !mustSetUpSecondFactor(platform, staff) ? 'staff' : 'everybody';
  };
  // In live mode the answer depends on the session: no cache may give it to somebody else, or after signing out.
  const kept = isTest ? 'public, max-age=600' : 'no-store';

  const app = new Hono();
  app.get('/api/openapi.json', async (c) => {
    c.header('Cache-Control', kept);
    return c.json(descriptions[await readerOf(c.req.raw)]);
  });
  app.get('/api/docs', async (c) => {
    const reader = await readerOf(c.req.raw);
    return docsPage(descriptions[reader], kept);
  });
  return app;
}

/** The codes that a description lists. */
function codesOf({ components }: Description): readonly string[] {
  const { properties } = z
    .object({ properties: z.object({ code: z.object({ enum: z.array(z.string()) }) }) })
    .parse(components.schemas.Problem);
  return properties.code.enum;
}

/** The page that describes the calls to developers; in English, without scripts. */
function docsPage(description: Description, cacheControl: string): Response {
  const codes = codesOf(description);
  const nonce = randomBytes(16).toString('base64');
  const html = renderToStaticMarkup(
    <html lang="en">
      <head>
        <meta charSet="utf-8" />
        <meta content="width=device-width, initial-scale=1" name="viewport" />
        <title>Calls – Lale</title>
        <style dangerouslySetInnerHTML={{ __html: STYLE }} nonce={nonce} />
      </head>
      <body>
        <main>
          <h1>The calls of Lale</h1>
          {description.info.description.split('\n\n').map((paragraph) => (
            <p key={paragraph}>{paragraph}</p>
          ))}
          <p>
            For programs: <a href="/api/openapi.json">openapi.json</a> (OpenAPI 3.1).
          </p>
          {Object.entries(description.paths).flatMap(([path, methods]) =>
            Object.entries(methods).map(([method, operation]) => (
              <details key={method + path}>
                <summary>
                  <code>
                    {method.toUpperCase()} {path}
                  </code>
                </summary>
                <pre>{operation['x-codeSamples'][0]?.source}</pre>
                <pre>{JSON.stringify(operation, null, 2)}</pre>
              </details>
            )),
          )}
          <h2>Codes of refused calls</h2>
          <dl>
            {codeMeanings(codes).map(([code, says]) => (
              <Fragment key={code}>
                <dt>
                  <code>{code}</code>
                </dt>
                <dd>{says}</dd>
              </Fragment>
            ))}
          </dl>
        </main>
      </body>
    </html>,
  );
  return new Response(`<!doctype html>${html}`, {
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Cache-Control': cacheControl,
      'Content-Security-Policy': `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; frame-ancestors 'none'`,
    },
  });
}
