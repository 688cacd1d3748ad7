import type { Hono, MiddlewareHandler } from 'hono';
import { z } from 'zod';
import { problem } from '~/platform/http/problem.server.ts';
import { issuesOf } from '~/platform/input/wire.ts';
import { jsonRead } from '~/platform/input/read-body.server.ts';
import type { ApiCall } from './api-call.ts';
import { calls } from './api-calls.server.ts';

const templates = Object.entries(calls).map(([path, methods]) => ({
  pattern: new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`),
  methods: new Map<string, ApiCall>(Object.entries(methods)),
}));

const methodsAt = (path: string) => templates.find(({ pattern }) => pattern.test(path))?.methods;

/**
 * Has described calls keep to what their description says of input: a parameter of the address that is not described is
 * refused, and a member of the body that is not is named in the answer. `staff`: whether for their calls, once they are
 * signed in, or for all others.
 */
export function keepToDescription({ staff }: { staff: boolean }): MiddlewareHandler {
  return async (c, next) => {
    const method = c.req.method === 'HEAD' ? 'get' : c.req.method.toLowerCase();
    const call = methodsAt(c.req.path)?.get(method);
    if (!call || (call.staff ?? false) !== staff) return next();
    const asked = c.req.query();
    const { query = z.object() } = call;
    const unknown = Object.keys(asked).filter((name) => !(name in query.shape));
    if (unknown.length > 0) {
      const errors = Object.fromEntries(unknown.map((name) => [name, 'unknown_parameter']));
      return problem({ code: 'unknown_parameter', errors });
    }
    const read = query.safeParse(asked);
    if (!read.success) return problem({ code: 'invalid', errors: issuesOf(read.error) });
    await next();
    const ignored = call.body ? unknownMembers(call.body, jsonRead(c.req.raw)) : [];
    if (ignored.length === 0 || !c.res.headers.get('Content-Type')?.includes('json')) return;
    const answer: unknown = await c.res.clone().json();
    const headers = new Headers(c.res.headers);
    headers.delete('Content-Length');
    if (Array.isArray(answer))
      headers.set('Ignored-Members', ignored.map(encodeURIComponent).join(', '));
    const body = Array.isArray(answer) ? answer : { ...(answer as object), ignored };
    const { status } = c.res;
    c.res = undefined;
    c.res = new Response(JSON.stringify(body), { status, headers });
  };
}

/** Most members that an answer names. */
const MOST_NAMED = 50;

/** The paths of all members that a schema does not know. */
export function unknownMembers(schema: z.core.$ZodType, value: unknown, path = ''): string[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable) {
    return unknownMembers(schema.unwrap(), value, path);
  }
  if (schema instanceof z.ZodArray && Array.isArray(value)) {
    const { element } = schema;
    return value
      .flatMap((one, index) => unknownMembers(element, one, `${path}[${index}]`))
      .slice(0, MOST_NAMED);
  }
  if (!(schema instanceof z.ZodObject) || typeof value !== 'object' || value === null) return [];
  return Object.entries(value)
    .flatMap(([name, inner]) => {
      const place = path === '' ? name : `${path}.${name}`;
      const known: z.core.$ZodType | undefined = Object.hasOwn(schema.shape, name)
        ? schema.shape[name]
        : schema.def.catchall;
      return known ? unknownMembers(known, inner, place) : [place.slice(0, 200)];
    })
    .slice(0, MOST_NAMED);
}

/** 405 for a described address with another method, 404 for any other. */
export function refuseOtherwise(app: Hono): void {
  app.all('/api/*', ({ req }) => refusalAt(req.path) ?? problem({ code: 'not_found' }));
  app.all('/paypal/*', ({ req }, next) => refusalAt(req.path) ?? next());
}

function refusalAt(path: string): Response | null {
  const methods = methodsAt(path);
  if (!methods) return null;
  const allowed = [...methods.keys()].flatMap((method) =>
    method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()],
  );
  return problem({ code: 'method_not_allowed', headers: { Allow: allowed.join(', ') } });
}
