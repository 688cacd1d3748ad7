import { z } from 'zod';
import { calls, type Call } from './api-calls.server.ts';

const problemSchema = z
  .object({
    type: z.string(),
    title: z.string(),
    status: z.int(),
    code: z.string().describe('Stable; for programs'),
    detail: z.string(),
    errors: z.record(z.string(), z.string()).optional().describe('Field → code'),
  })
  .meta({ id: 'Problem' });

/** The OpenAPI 3.1 description of all documented calls. */
export function describeApi(publicUrl: string) {
  const paths: Record<string, Record<string, unknown>> = {};
  for (const [path, methods] of Object.entries(calls)) {
    paths[path] = Object.fromEntries(
      Object.entries(methods).map(([method, call]) => [method, operation(call)]),
    );
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
      schemas: { Problem: schemaOf(problemSchema, 'output') },
      securitySchemes: { staff: { type: 'apiKey', in: 'cookie', name: 'lale_staff' } },
    },
  };
}

function operation(call: Call) {
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
