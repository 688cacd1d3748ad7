import { withOperator } from '../src/features/settings/operator.server.ts';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { languageCodes } from '../src/base/languages.ts';
import { sampleTerms } from '../src/features/insurance/store/seed.server.ts';
import { secretLinkEmail, wordsFor } from '../src/features/email/kinds/kind.server.ts';
import { emailText } from '../src/features/email/layout/content.server.ts';
import { projectRoot } from '../src/platform/config/root.server.ts';
import { hasSamples } from '../src/platform/config/sample-operator.ts';
import { placeholdersIn } from './page-checks.ts';
import { makeTestPlatform } from './platform.ts';

/*
 * No text contains a placeholder ("[insurer legal name]") or a note to the operator. Pages and emails consist of these
 * texts, the operator and the insurer; `every-page.test.ts` checks every public page as well.
 */

const filesIn = (folder: string) =>
  readdirSync(join(projectRoot, folder)).map((name) => join(folder, name));

test.each(languageCodes)('no text in %s has a placeholder or a note to the operator', (code) => {
  const found = [...filesIn(`locales/${code}`), ...filesIn(`text/${code}`)].flatMap((file) => {
    const text = readFileSync(join(projectRoot, file), 'utf8');
    // A link in Markdown: its text, then its address.
    return placeholdersIn(text.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').split('\n')).map(
      (line) => `${file}: ${line}`,
    );
  });
  expect(found).toEqual([]);
});

test('the sample terms are complete, and say in every language that they are samples', () => {
  for (const [field, value] of Object.entries(sampleTerms)) expect(value, field).not.toBeNull();
  for (const code of languageCodes) {
    expect(sampleTerms.wording?.[code]).toBeTruthy();
    for (const { title, limit } of sampleTerms.covers) {
      expect(title?.[code]).toBeTruthy();
      expect(limit?.[code]).toMatch(/sample|örnek|exemple|Muster|ejemplo|نموذج/);
    }
  }
  expect(placeholdersIn(JSON.stringify(sampleTerms.covers).split('"'))).toEqual([]);
});

describe('the operator', async () => {
  const platform = await makeTestPlatform();
  const named = {
    OPERATOR_LEGAL_NAME: 'Harbour Travel Ltd',
    OPERATOR_ADDRESS: '3 Quay, Test City',
    OPERATOR_TAX_NUMBER: '1234567890',
    OPERATOR_SUPPORT_EMAIL: 'help@harbour.example',
    OPERATOR_SUPPORT_PHONE: '+90 212 555 00 00',
  };

  test('is a sample in test mode until somebody is named', async () => {
    expect(hasSamples(platform.config.operator)).toBe(true);
    expect(placeholdersIn(Object.values(platform.config.operator).flat())).toEqual([]);
    const { config } = await makeTestPlatform({ variables: named });
    expect(hasSamples(config.operator)).toBe(false);
    expect(config.operator.legalName).toBe('Harbour Travel Ltd');
  });

  test.each(languageCodes)('leaves no placeholder in e-mails, in %s', async (code) => {
    const words = wordsFor(await withOperator(platform), code);
    const link = { url: 'https://lale.example/x', count: 7 };
    const kinds = ['invitation', 'resume', 'password_reset'] as const;
    const emails = kinds.map((kind) => secretLinkEmail(words, kind, link));
    for (const email of emails) expect(placeholdersIn(emailText(email).split('\n'))).toEqual([]);
  });
});
