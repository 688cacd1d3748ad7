import type { z } from 'zod';

/** The description of one call. */
export type ApiCall = {
  summary: string;
  /** Who may call it. */
  staff?: boolean;
  idempotent?: boolean;
  path?: Record<string, string>;
  query?: z.ZodObject;
  body?: z.ZodType;
  answers: Record<number, { description: string; schema?: z.ZodType }>;
};

/** Path → method → what it takes and answers. */
export type ApiCalls = Record<string, Partial<Record<'get' | 'post' | 'patch', ApiCall>>>;
