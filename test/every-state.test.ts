import { beforeAll, describe, expect, test } from 'vitest';
import { languages, type Language, languageCodes } from '../src/base/languages.ts';
import { downloadAddress } from '../src/features/status/download.server.ts';
import { seedAll } from '../src/features/catalog/seed.server.ts';
import { askCorrection } from '../src/features/desk/application/ask-correction.server.ts';
import { decideApplication } from '../src/features/desk/application/decide.server.ts';
import { storeStaff } from '../src/features/desk/application/testing/case-store.server.ts';
import { correctionAddress } from '../src/features/application/reopened.server.ts';
import { indian, southAfrican } from '../src/features/visa/testing/sample-browser.server.ts';
import { makeTranslate } from '../src/i18n/translations.server.ts';
import { seeders } from '../src/app/composition/seeders.server.ts';
import { findEnglishTexts, unfilled } from './page-checks.ts';
import { makeTestApp } from './pages.ts';
import { makeTestPlatform } from './platform.ts';
import { applicationCorrections, makeApplication, makeInsurance, uploadPdf } from './make.ts';
import { needed } from './needed.ts';

/** Pages that need something stored: steps with a draft, applications in each state, links of emails. */
const platform = await makeTestPlatform({ variables: { TRUST_PROXY: 'yes' } });
const app = makeTestApp(platform);
const { db } = platform;

let visitors = 0;
/** A visitor without scripts, with an address of their own. */
function makeVisitor() {
  const jar = new Map<string, string>();
  const address = `192.0.2.${(visitors += 1)}`;
  return async (path: string, fields?: Record<string, string>) => {
    const answer = await app.request(path, {
      headers: {
        cookie: [...jar].map((pair) => pair.join('=')).join('; '),
        'x-forwarded-for': address,
      },
      ...(fields ? { method: 'POST', body: new URLSearchParams(fields) } : {}),
    });
    for (const line of answer.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    const html = (await answer.text()).split('<script id="page-data"')[0] ?? '';
    return { status: answer.status, html };
  };
}

const withDocument = ['supporting-document', 'arrival', 'prerequisites'];
const withoutDocument = ['what-it-allows', 'arrival', 'details'];

/** Every step of one path, first as it opens, then submitted without answers. */
async function walk(
  language: Language,
  answers: Record<string, string>,
  steps: readonly string[],
  keep: (name: string, page: { status: number; html: string }) => void,
) {
  const visit = makeVisitor();
  const at = (step: string) => `/${language}/application${step && `/${step}`}`;
  const { countryId = '' } = answers;
  await visit(at(''), answers);
  for (const step of steps) {
    keep(`${countryId} ${step}`, await visit(at(step)));
    keep(`${countryId} ${step} unanswered`, await visit(at(step), { intent: 'next' }));
    await visit(at(step), answers);
  }
  keep(`${countryId} after`, await visit(at(countryId === 'ZAF' ? 'review' : 'details')));
}

const pages = new Map<Language, Map<string, { status: number; html: string }>>();
const htmlOf = (language: Language, name: string) => pages.get(language)?.get(name)?.html ?? '';

async function storeAll() {
  const staff = await storeStaff(platform, { role: 'manager' });
  const [pending, unpaid, approved, bare, rejected, corrected] = [
    await makeApplication(platform),
    await makeApplication(platform, { paid: false }),
    await makeApplication(platform),
    await makeApplication(platform),
    await makeApplication(platform),
    await makeApplication(platform),
  ];
  const insured = await makeInsurance(platform, { paid: true });
  const uninsured = await makeInsurance(platform);
  const minor = await makeInsurance(platform, { dateOfBirth: '2012-02-29', paid: true });
  const uploadedId = await uploadPdf(platform, staff);
  await decideApplication(platform, staff, {
    kind: 'approve',
    applicationId: approved.id,
    fileId: uploadedId,
  });
  await decideApplication(platform, staff, { kind: 'approve', applicationId: bare.id });
  await decideApplication(platform, staff, {
    kind: 'reject',
    applicationId: rejected.id,
    code: 'passport_unreadable',
  });
  await askCorrection(platform, staff, {
    applicationId: corrected.id,
    fields: ['firstName', 'passportExpiryDate', 'address'],
    note: '+++',
  });
  const [correction] = await applicationCorrections(db, corrected.id);
  return {
    numbers: { pending, unpaid, approved, bare, rejected, corrected, insured, uninsured, minor },
    correction: new URL(correctionAddress(platform, needed(correction), corrected)).pathname.slice(
      3,
    ),
    download: new URL(downloadAddress(platform, bare)),
  };
}

beforeAll(async () => {
  await seedAll(db, seeders, platform.now());
  const { numbers, correction, download } = await storeAll();
  for (const { code } of languages) {
    const found = new Map<string, { status: number; html: string }>();
    pages.set(code, found);
    await walk(code, southAfrican, withoutDocument, (name, page) => found.set(name, page));
    await walk(code, indian, withDocument, (name, page) => found.set(name, page));
    const paths: Record<string, string> = {
      'saved link': '/application/saved',
      'old resume link': `/application/resume/${'x'.repeat(22)}`,
      correction,
      'old correction': '/application/correct/x',
      'status empty': '/status?ref=',
      'status too short': '/status?ref=TRV1',
      'status unknown': '/status?ref=TRV7K2M9QXD4HPBX',
      'paid unknown': '/payment-success?order=TRV7K2M9QXD4HPBX',
      'test payment': '/payment-success?test=true&payment=00',
      'failed payment told': '/payment-cancel?status=failed&reason=card_declined',
      'document without date': `/download?ref=${numbers.approved.number}`,
      'document not there': `/download${download.search}`,
      'old document link': '/documents/x',
      'old receipt link': '/receipt?token=x',
      'no certificate': '/verify/x',
      'insurance payment': `/insurance/payment?ref=${numbers.uninsured.number}`,
    };
    for (const [name, { number }] of Object.entries(numbers)) {
      paths[`status ${name}`] = `/status?ref=${number}`;
    }
    for (const name of ['pending', 'unpaid', 'corrected', 'insured', 'minor'] as const) {
      paths[`success ${name}`] = `/payment-success?order=${numbers[name].number}`;
    }
    for (const name of ['unpaid', 'uninsured'] as const) {
      paths[`stopped ${name}`] = `/payment-cancel?order=${numbers[name].number}`;
    }
    for (const [name, path] of Object.entries(paths)) {
      found.set(name, await makeVisitor()(`/${code}${path}`));
    }
    const insurance = makeVisitor();
    found.set('insurance unanswered', await insurance(`/${code}/insurance`, { intent: 'pay' }));
    const correcting = makeVisitor();
    found.set('correction unanswered', await correcting(`/${code}${correction}`, { address: '' }));
  }
}, 300_000);

const names = () => [...(pages.get('en')?.keys() ?? [])];

/** A redirect has no text. */
const shown = (language: Language) =>
  names().filter((name) => htmlOf(language, name).includes('<body'));

describe.each(languages.map(({ code, direction }) => ({ code, direction })))(
  'every state in $code',
  ({ code, direction }) => {
    test('answers as it does in English', () => {
      const statusIn = (language: Language) =>
        Object.fromEntries(names().map((name) => [name, pages.get(language)?.get(name)?.status]));
      expect(statusIn(code)).toEqual(statusIn('en'));
      expect(Object.values(statusIn(code)).filter((status) => status === 500)).toEqual([]);
      expect(shown(code).length).toBeGreaterThan(40);
    });

    test('has its language, one headline and a title, and shows no key', () => {
      for (const name of shown(code)) {
        const html = htmlOf(code, name);
        const root = /<html [^>]*>/.exec(html)?.[0];
        expect(root, name).toContain(`lang="${code}"`);
        expect(root, name).toContain(`dir="${direction}"`);
        expect(html.match(/<h1\b/g), name).toHaveLength(1);
        expect(/<title>([^<]{10,})<\/title>/.exec(html)?.[1], name).toMatch(/Lale|لاله/);
        expect(unfilled(html), name).toEqual([]);
      }
    });
  },
);

test.each(languageCodes)(
  'who is asked for a correction is not told to do nothing, in %s',
  (code) => {
    const html = htmlOf(code, 'status corrected');
    const t = makeTranslate(code, 'application');
    expect(html).toContain(t('heading.correcting'));
    expect(html).not.toContain(t('heading.pending'));
    expect(html).not.toContain(t('text.pending'));
  },
);

/** Names and values of this test's travellers, the same in every language. */
const DATA =
  /^([\d\s·•A-Z]*|.*@.*|Thabo Naidoo|Sofía Hernández Ruiz|Thandi|Nkosi|NKOSI.*|Durban|Zanele Nkosi|Sipho Nkosi|12 .*|\+.*|DEU1234567|A\d+|tx-.*|(C-)?[\da-f-]{36})$/;

test.each(languageCodes.filter((code) => code !== 'en'))(
  'nothing is left in English, in %s',
  (code) => {
    const left = shown(code).flatMap((name) =>
      findEnglishTexts(code, htmlOf(code, name), htmlOf('en', name))
        .filter((text) => !DATA.test(text))
        .map((text) => `${name}: ${text}`),
    );
    expect(left, left.join('\n')).toEqual([]);
  },
);
