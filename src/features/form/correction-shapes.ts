import { z } from 'zod';

/** What calls take and answer beside the fields of their kind. */
export const correctionLink = z
  .string()
  .max(2000)
  .describe('The address in the email that asks for the correction, or its last part');
export const correctionAnswer = z
  .object({ applicationNumber: z.string() })
  .meta({ id: 'CorrectionAnswer' });
