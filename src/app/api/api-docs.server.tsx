import { z } from 'zod';
import { retention } from '~/base/retention-periods.ts';
import { languageCodes } from '~/base/languages.ts';
import { loadedTexts, makeTranslate } from '~/i18n/translations.server.ts';
import { MAX_KEY_LENGTH } from '~/platform/http/answer-once.server.ts';
import { problemStatuses, type ProblemCode } from '~/platform/http/problem-codes.ts';
import {
  problemDetail,
  problemMembers,
  staffProblemMembers,
} from '~/platform/http/problem.server.ts';
import type { Limit } from '~/platform/http/rate-limit.server.ts';
import type { ApiCall } from './api-call.ts';
import { calls } from './api-calls.server.ts';
import { CHANGES_LIMIT } from './limit-changes.server.ts';
import { randomBytes } from 'node:crypto';
import { Hono } from 'hono';
import { Fragment } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { mustSetUpSecondFactor } from '~/features/staff/require.server.ts';
import { staffCookieName, requestStaff } from '~/features/staff/session.server.ts';
import type { Platform } from '~/platform/platform.server.ts';

/** Whom a description is for: `everybody` is not told which calls staff have. */
type CallReader = 'everybody' | 'staff';

type Json = Record<string, unknown>;

const GUIDE = `Amounts are decimal texts with two places and a currency; days are YYYY-MM-DD, moments ISO 8601 in UTC. Errors are application/problem+json with a stable code; a 422 names each field with a code and a sentence. Unknown members of a body are ignored and named in the answer (\`ignored\`); unknown parameters of an address are refused. Calls come from servers: browsers of other sites are refused.

In ten minutes: GET /api/countries tells who needs an e-visa, GET /api/prices what it costs. POST /api/applications files it (POST /api/orders several travellers at once), with an Idempotency-Key of yours. POST /api/payment/create with the orderReference and payer: "guest" answers the address where a person pays. GET /api/applications/{number} tells where it stands, and once downloadAvailable is true, POST /api/applications/{number}/document opens the PDF. In test mode nothing is charged; the payment page lists its test cards.`;

/** What “limit” allows, in a sentence. */
const limitText = ({ points, seconds, counts }: Limit & { counts: string }): string =>
  `Limit: ${points} in ${seconds} seconds (${counts}); then 429 with Retry-After.`;

const ofAnyCall = [
  'bad_characters',
  'unknown_parameter',
  'busy',
  'maintenance',
  'internal',
] as const;
const ofChanges = ['foreign_origin'] as const;
const ofBodies = [
  'too_large',
  'broken_off',
  'not_json',
  'wrong_type',
  'too_deep',
  'too_many_fields',
  'invalid',
] as const;

/** The codes with which a call may be refused. */
const refusalsOf = (method: string, call: ApiCall): readonly ProblemCode[] => [
  ...new Set<ProblemCode>([
    ...(call.staff ? (['signed_out', 'second_factor_required', 'forbidden'] as const) : []),
    ...ofAnyCall,
    ...(call.query ? (['invalid'] as const) : []),
    ...(method === 'get' ? [] : ofChanges),
    ...(method === 'get' || call.staff ? [] : (['too_many_calls'] as const)),
    ...(call.body ? ofBodies : []),
    ...(call.fileType ? (['too_large'] as const) : []),
    ...(call.idempotent ? (['bad_key', 'key_reused'] as const) : []),
    ...(call.refusals ?? []),
  ]),
];

/** The codes of `errors`: those that have a text of the forms or of the calls. */
export function fieldCodes(): readonly string[] {
  const ofForm = (namespace: string) =>
    Object.values(groupOf(loadedTexts('en').textsOf(namespace)?.errors)).flatMap((field) =>
      Object.keys(groupOf(field)),
    );
  const ofCalls = Object.keys(groupOf(loadedTexts('en').textsOf('api')?.field));
  const all = [...['form', 'visa', 'insurance', 'group'].flatMap(ofForm), ...ofCalls];
  return [...new Set([...all, ...OF_FILES])].toSorted();
}

const groupOf = (texts: unknown): object =>
  typeof texts === 'object' && texts !== null ? texts : {};

/** Of PDFs that staff send. */
const OF_FILES = ['wrong_type', 'too_large', 'broken', 'unsafe', 'busy', 'fields_required'];

/**
 * The OpenAPI 3.1 description of the calls that `reader` may know of.
 * `staffCookie`: the cookie's name as browsers keep it here.
 */
export function describeApi(
  publicUrl: string,
  { reader, staffCookie }: { reader: CallReader; staffCookie: string },
) {
  const isForStaff = reader === 'staff';
  const schemas: Record<string, Json> = {};
  const codes = new Set<ProblemCode>();
  const paths: Record<string, Record<string, ReturnType<typeof operation>>> = {};
  for (const [path, methods] of Object.entries(calls)) {
    const listed = Object.entries(methods).filter(([, call]) => isForStaff || !call.staff);
    if (listed.length === 0) continue;
    for (const [method, call] of listed) {
      for (const code of refusalsOf(method, call)) codes.add(code);
    }
    paths[path] = Object.fromEntries(
      listed.map(([method, call]) => [
        method,
        operation(call, { method, path, publicUrl, staffCookie, schemas }),
      ]),
    );
  }
  const problemSchema = z
    .object({
      type: z.string().describe('about:blank: the code says what it is'),
      title: z.string(),
      status: z.int(),
      code: z.enum([...codes].toSorted()).describe('Stable, for programs'),
      detail: z.string().describe('One sentence for people, in the language of the answer'),
      errors: z
        .record(z.string(), z.enum(fieldCodes()))
        .optional()
        .describe('Field, with its path → stable code of what is wrong with it'),
      ...problemMembers.shape,
      ...(isForStaff ? staffProblemMembers.shape : {}),
      ignored: ignored.optional(),
    })
    .meta({ id: 'Problem' });
  schemaOf(problemSchema, 'output', schemas);
  return {
    openapi: '3.1.0',
    info: {
      title: 'Lale',
      version: '1',
      description: GUIDE,
      license: { name: 'Proprietary', url: `${publicUrl}/terms` },
    },
    servers: [{ url: publicUrl }],
    tags: [
      { name: 'applications', description: 'Prices, applications and their status' },
      { name: 'payment', description: 'Paying an order' },
      ...(isForStaff ? [{ name: 'staff', description: 'The desk’s calls' }] : []),
    ],
    paths,
    components: {
      schemas,
      ...(isForStaff
        ? {
            securitySchemes: {
              staff: {
                type: 'apiKey' as const,
                in: 'cookie' as const,
                name: staffCookie,
                description:
                  'Set by POST /admin, the form of the sign-in page (email, password; code for the second factor). It lasts as long as a session of the desk; there is no token for programs.',
              },
            },
          }
        : {}),
    },
  };
}

const ignored = z
  .array(z.string())
  .describe('Members of the body that this call does not know; they changed nothing');

const header = (description: string) => ({ description, schema: { type: 'string' } });

function operation(
  call: ApiCall,
  {
    method,
    path,
    publicUrl,
    staffCookie,
    schemas,
  }: {
    method: string;
    path: string;
    publicUrl: string;
    staffCookie: string;
    schemas: Record<string, Json>;
  },
) {
  const { answer } = call;
  const parameters = [
    ...Object.entries(call.path ?? {}).map(([name, description]) => ({
      name,
      in: 'path',
      required: true,
      description,
      schema: { type: 'string' },
    })),
    ...Object.entries(call.query?.shape ?? {}).map(([name, schema]) => ({
      name,
      in: 'query',
      required: !z.safeParse(schema, undefined).success,
      ...textOf(schema),
      schema: schemaOf(schema, 'input', schemas),
    })),
    ...(call.idempotent
      ? [
          {
            name: 'Idempotency-Key',
            in: 'header',
            description: `Optional. The same key and body again make nothing new and get the first answer, with Idempotent-Replayed: true; another body is refused (key_reused). A refused call does not use the key up. Keys belong to one call (${method.toUpperCase()} ${path}) and one caller, told by the session cookie or else by the address, and are kept for ${retention.idempotencyKey.days} days.`,
            schema: { type: 'string', minLength: 1, maxLength: MAX_KEY_LENGTH },
          },
        ]
      : []),
    {
      name: 'Accept-Language',
      in: 'header',
      description: `${languageCodes.join(', ')}; English for any other. The language of sentences in the answer${
        call.idempotent ? ', and of all emails about what is made' : ''
      }. A cookie preferred-language counts before it.`,
      schema: { type: 'string' },
    },
  ];
  const limits = [
    ...(call.limits ?? []),
    ...(method === 'get' || call.staff
      ? []
      : [
          { ...CHANGES_LIMIT, counts: 'all calls and forms that change something, of one address' },
        ]),
  ].map(limitText);
  const schema = schemaOf(answer.schema, 'output', schemas);
  const isList = answer.schema instanceof z.ZodArray;
  const headers = {
    ...(call.idempotent
      ? {
          'Idempotent-Replayed': 'true where an earlier call with this key made it',
          'Set-Cookie': 'The session of the payer: send it to pay as the payer',
        }
      : {}),
    ...(call.body && isList ? { 'Ignored-Members': 'Unknown members of the body' } : {}),
    ...answer.headers,
    ...(method === 'get' || call.staff ? {} : RATE_LIMIT_HEADERS),
  };
  return {
    operationId: call.operationId,
    tags: [call.staff ? 'staff' : /pay/.test(path) ? 'payment' : 'applications'],
    summary: call.summary,
    ...(call.description || limits.length > 0
      ? { description: [call.description, ...limits].filter(Boolean).join('\n\n') }
      : {}),
    security: call.staff ? [{ staff: [] }] : [],
    parameters,
    ...(call.body
      ? {
          requestBody: {
            required: true,
            content: {
              'application/json': {
                schema: schemaOf(call.body, 'input', schemas),
                example: call.example,
              },
            },
          },
        }
      : {}),
    ...(call.fileType
      ? {
          requestBody: {
            required: true,
            content: { [call.fileType]: { schema: { type: 'string', format: 'binary' } } },
          },
        }
      : {}),
    responses: {
      [answer.status]: {
        description: answer.description,
        ...(Object.keys(headers).length > 0
          ? {
              headers: Object.fromEntries(
                Object.entries(headers).map(([name, text]) => [name, header(text)]),
              ),
            }
          : {}),
        content: {
          'application/json': {
            schema:
              call.body && !isList
                ? {
                    allOf: [
                      schema,
                      {
                        type: 'object',
                        properties: { ignored: schemaOf(ignored, 'output', schemas) },
                      },
                    ],
                  }
                : schema,
          },
        },
      },
      ...refusedResponses(refusalsOf(method, call)),
    },
    'x-codeSamples': [
      { lang: 'Shell', source: curl(call, { method, path, publicUrl, staffCookie }) },
    ],
  };
}

const RATE_LIMIT_HEADERS = {
  'RateLimit-Limit': 'Most calls that change something, of one address',
  'RateLimit-Remaining': 'How many of them are left',
  'RateLimit-Reset': 'Seconds until all of them are there again',
};

/** The refusals of a call by status, each with its codes. */
function refusedResponses(codes: readonly ProblemCode[]) {
  const byStatus = Map.groupBy(codes, (code) => problemStatuses[code]);
  return Object.fromEntries(
    [...byStatus].map(([status, listed]) => [
      status,
      {
        description: listed.map((code) => `${code}: ${problemDetail(code)}`).join('\n'),
        headers: {
          'Content-Language': header('The language of its sentences'),
          ...(status === 429 || status === 503
            ? { 'Retry-After': header('Seconds until the next try') }
            : {}),
          ...(status === 401 ? { 'WWW-Authenticate': header('How staff sign in') } : {}),
        },
        content: {
          'application/problem+json': {
            schema: {
              allOf: [
                { $ref: '#/components/schemas/Problem' },
                { type: 'object', properties: { code: { type: 'string', enum: listed } } },
              ],
            },
          },
        },
      },
    ]),
  );
}

/** Values of path and query parameters for examples. */
const samples: Record<string, string> = { number: 'TRV7K2M9QXD4HPBR', countryId: 'ZAF' };

/** The call as a line for a shell. */
function curl(
  call: ApiCall,
  {
    method,
    path,
    publicUrl,
    staffCookie,
  }: { method: string; path: string; publicUrl: string; staffCookie: string },
): string {
  const filled = path.replaceAll(
    /\{(\w+)\}/g,
    (_, name: string) => samples[name] ?? '7a4e7c0e-52d1-4b6f-9e43-0c1f5a3a9d11',
  );
  const query = Object.keys(call.query?.shape ?? {}).flatMap((name) =>
    samples[name] ? [`${name}=${samples[name]}`] : [],
  );
  const address = `'${publicUrl}${filled}${query.length > 0 ? `?${query.join('&')}` : ''}'`;
  return [
    `curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} ${address}`,
    ...(call.staff ? [`-b '${staffCookie}=…'`] : []),
    ...(call.idempotent ? ["-H 'Idempotency-Key: row-17'"] : []),
    ...(call.body
      ? ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(call.example)}'`]
      : []),
    ...(call.fileType ? [`-H 'Content-Type: ${call.fileType}'`, '--data-binary @visa.pdf'] : []),
  ].join(' \\\n  ');
}

const textOf = (schema: z.core.$ZodType) => {
  const { description } = z.globalRegistry.get(schema) ?? {};
  return description ? { description } : {};
};

/** A schema as JSON; those with an id are put into `schemas` once and referred to. */
function schemaOf(
  schema: z.core.$ZodType,
  io: 'input' | 'output',
  schemas: Record<string, Json>,
): Json {
  const {
    $schema: _dialect,
    $defs,
    ...json
  } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema }) => {
      // Answers may get more members; the format says what the pattern would.
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      if (io === 'input' || jsonSchema.format) delete jsonSchema.pattern;
    },
  }) as Json & { $defs?: Record<string, Json> };
  for (const [id, named] of Object.entries($defs ?? {})) {
    const { id: _, ...inner } = atComponents(named);
    if (schemas[id] && JSON.stringify(schemas[id]) !== JSON.stringify(inner)) {
      throw new Error(`Two schemas are called ${id}`);
    }
    schemas[id] = inner;
  }
  return atComponents(json);
}

/** References of zod as those of OpenAPI. */
const atComponents = (json: Json): Json =>
  JSON.parse(JSON.stringify(json).replaceAll('"#/$defs/', '"#/components/schemas/'));

/** What the codes of a description say, in English. */
const codeMeanings = (codes: readonly string[]): [string, string][] =>
  codes.map((code) => [code, makeTranslate('en')(`api:detail.${code}`, '')]);

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
