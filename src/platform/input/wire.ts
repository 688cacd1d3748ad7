import { z } from 'zod';

/** How calls write what several of them have. */
export const day = z.iso.date();
export const moment = z.iso.datetime().describe('UTC');
export const amount = z
  .string()
  .regex(/^\d+\.\d\d$/)
  .describe('Two decimals');
export const currency = z.literal('USD');
/** An amount as a caller may write it. */
export const givenAmount = z.union([z.string(), z.number()]);
export const email = z.string().max(254).meta({ format: 'email' });

/** What a schema finds wrong: path of the member (`body` for the whole) → code. */
export const zodIssues = ({ issues }: z.ZodError): Record<string, string> =>
  Object.fromEntries(
    issues.map((issue) => [
      issue.path.join('.') || 'body',
      issue.code === 'custom' ? issue.message : issue.code,
    ]),
  );
