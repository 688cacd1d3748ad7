import type { Application } from '~/features/application/store.server.ts';
import { maskNumber } from '~/features/application/document-number.ts';
import type { Platform } from '~/platform/platform.server.ts';
import { numbersOf } from '../records/numbers.server.ts';
import { compareDocument } from './compare-document.server.ts';
import { type ComparedFact, needsALook, type Comparison } from './document-match.ts';

/** What the preview shows beside the PDF: the application's facts, and which of them the PDF contains. */
export type ComparisonView = Comparison & {
  needsALook: boolean;
  /** As the desk shows them: the passport number masked, the birth date as a date. */
  facts: Record<ComparedFact, string>;
};

export async function comparisonView(
  platform: Pick<Platform, 'db' | 'sealer'>,
  application: Application,
  fileId: string,
): Promise<ComparisonView | null> {
  const comparison = await compareDocument(platform, application, fileId);
  if (!comparison) return null;
  const { firstName, lastName, dateOfBirth } = application;
  const numbers = await numbersOf(platform, application);
  return {
    ...comparison,
    needsALook: needsALook(comparison),
    facts: {
      passportNumber: numbers ? maskNumber(numbers.passport) : '',
      lastName,
      firstName,
      dateOfBirth,
    },
  };
}
