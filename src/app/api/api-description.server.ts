import { z } from 'zod';
import type { ApiCall } from './api-call.ts';
import { calls } from './api-calls.server.ts';
import { problemCodes } from '~/platform/http/problem-codes.ts';

/** Whom a description is for: `everybody` is not told which calls staff have. */
export type Reader = 'everybody' | 'staff';

const problemSchema = (reader: Reader) =>
  z.object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.enum(Object.keys(problemCodes[reader])).describe(meaningsOf(reader)),
    detail: z.string(),
    errors: z.record(z.string(), z.string()).optional().describe('Field → code'),
  });

const meaningsOf = (reader: Reader): string =>
  `Stable, for programs. ${Object.entries(problemCodes[reader])
    .map(([code, says]) => `${code}: ${says}.`)
    .join(' ')}`;

/**
 * The OpenAPI 3.1 description of the calls that `reader` may know of.
 * `staffCookie`: the cookie's name as browsers keep it here.
 */
export function describeApi(
  publicUrl: string,
  { reader, staffCookie }: { reader: Reader; staffCookie: string },
) {
  const isForStaff = reader === 'staff';
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [path, methods] of Object.entries(calls)) {
    const listed = Object.entries(methods).filter(([, call]) => isForStaff || !call.staff);
    if (listed.length === 0) continue;
    paths[path] = Object.fromEntries(listed.map(([method, call]) => [method, operation(call)]));
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Lale',
      version: '1',
      description:
        'Amounts are decimal texts with two places and a currency. Errors are application/problem+json with a stable code.',
    },
    servers: [{ url: publicUrl }],
    paths,
    components: {
      schemas: { Problem: schemaOf(problemSchema(reader), 'output') },
      ...(isForStaff
        ? { securitySchemes: { staff: { type: 'apiKey', in: 'cookie', name: staffCookie } } }
        : {}),
    },
  };
}

function operation(call: ApiCall) {
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
      schema: schemaOf(schema, 'input'),
    })),
    ...(call.idempotent
      ? [{ name: 'Idempotency-Key', in: 'header', schema: { type: 'string', maxLength: 200 } }]
      : []),
  ];
  return {
    summary: call.summary,
    ...(call.staff ? { security: [{ staff: [] }] } : {}),
    ...(parameters.length > 0 ? { parameters } : {}),
    ...(call.body
      ? {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: schemaOf(call.body, 'input') } },
          },
        }
      : {}),
    responses: {
      ...Object.fromEntries(
        Object.entries(call.answers).map(([status, { description, schema }]) => [
          status,
          {
            description,
            ...(schema
              ? { content: { 'application/json': { schema: schemaOf(schema, 'output') } } }
              : {}),
          },
        ]),
      ),
      default: {
        description: 'A problem',
        content: {
          'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } },
        },
      },
    },
  };
}

function schemaOf(schema: z.core.$ZodType, io: 'input' | 'output') {
  const { $schema: _dialect, ...json } = z.toJSONSchema(schema, { io, unrepresentable: 'any' });
  return json;
}
