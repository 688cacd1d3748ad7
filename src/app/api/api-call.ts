import type { z } from 'zod';
import type { ProblemCode } from '~/platform/http/problem-codes.ts';
import type { Limit } from '~/platform/http/rate-limit.server.ts';

type Common = {
  /** The name of the call in clients that are generated. */
  operationId: string;
  summary: string;
  /** What a caller has to know besides. */
  description?: string;
  /** Who may call it. */
  staff?: boolean;
  idempotent?: boolean;
  /** Name of a part of the path → what it is. */
  path?: Record<string, string>;
  query?: z.ZodObject;
  answer: {
    status: 200 | 201;
    description: string;
    schema: z.ZodType;
    /** Name of a header → what it says. */
    headers?: Record<string, string>;
  };
  /** The codes of its refusals beside those that calls of its kind have (`refusalsOf`). */
  refusals?: readonly ProblemCode[];
  /** Limits of its own, and what they count. */
  limits?: readonly (Limit & { counts: string })[];
};

/** The description of one call. A body comes with an example; `fileType`: the body is such a file. */
export type ApiCall = Common &
  (
    | { body: z.ZodType; example: object; fileType?: never }
    | { fileType: string; body?: never; example?: never }
    | { body?: never; example?: never; fileType?: never }
  );

/** Path → method → what it takes and answers. */
export type ApiCalls = Record<string, Partial<Record<'get' | 'post' | 'patch', ApiCall>>>;
