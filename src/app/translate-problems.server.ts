import type { MiddlewareHandler } from 'hono';
import { textsIn } from '~/i18n/translations.server.ts';
import { negotiated } from '~/i18n/page-language.server.ts';
import { problemStatuses, type ProblemCode } from '~/platform/http/problem-codes.ts';
import { detailOf } from '~/platform/http/problem.server.ts';

type Body = {
  code: string;
  detail: string;
  error?: string;
  errors?: Record<string, string>;
  messages?: Record<string, string>;
};

const isCode = (code: string): code is ProblemCode => Object.hasOwn(problemStatuses, code);

/** Says refusals in the language that the call asks for, and for each field what to do about it. */
export const translateProblems: MiddlewareHandler = async (c, next) => {
  await next();
  const { headers, status } = c.res;
  if (headers.get('Content-Type') !== 'application/problem+json') return;
  if (headers.has('Content-Encoding')) return;
  const body: Body = await c.res.clone().json();
  if (!isCode(body.code)) return;
  const language = negotiated(c.req.raw);
  const t = textsIn(language);
  const english = detailOf(body.code);
  const detail = t(`api:detail.${body.code}`);
  const { errors } = body;
  const messages =
    errors &&
    Object.fromEntries(
      Object.entries(errors).map(([field, code]) => [
        field,
        body.messages?.[field] ??
          t([`api:field.${code}`, `form:errors.any.${code}.title`], { defaultValue: detail }),
      ]),
    );
  const translated = {
    ...body,
    ...(body.detail === english && { detail }),
    ...(body.error === english && { error: detail }),
    ...(messages && { messages }),
  };
  const own = new Headers(headers);
  own.delete('Content-Length');
  own.set('Content-Language', language);
  own.append('Vary', 'Accept-Language');
  c.res = undefined;
  c.res = new Response(JSON.stringify(translated), { status, headers: own });
};
