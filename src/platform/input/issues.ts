import type { z } from 'zod';

/** What a schema finds wrong: path of the member (`body` for the whole) → code. */
export const issuesOf = ({ issues }: z.ZodError): Record<string, string> =>
  Object.fromEntries(
    issues.map((issue) => [
      issue.path.join('.') || 'body',
      issue.code === 'custom' ? issue.message : issue.code,
    ]),
  );
