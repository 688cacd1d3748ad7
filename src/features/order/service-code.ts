import type { CodeIn } from '~/base/text-keys.ts';

type Named = CodeIn<'application', 'service'>;
type Having<Word extends string> = Named extends infer Key
  ? Key extends `${infer Code}.${Word}`
    ? Code
    : never
  : never;

/** What is bought, a speed of a visa or a plan of an insurance, by its code: all that have a name in `application:service`. */
export type ServiceCode = Having<'name'>;

/** Those of them that have all the words of a speed, on receipts too. */
export type SpeedCode = Extract<Having<'processing'>, Having<'onReceipt'>>;
