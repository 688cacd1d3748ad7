import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { correctionAddress } from '../../src/features/application/reopened.server.ts';
import { seedAll } from '../../src/features/catalog/seed.server.ts';
import { askCorrection } from '../../src/features/desk/application/ask-correction.server.ts';
import { storeStaff } from '../../src/features/desk/application/testing/case-store.server.ts';
import { adultForm } from '../../src/features/insurance/testing/visit.ts';
import { openSession, sessionCookie } from '../../src/features/staff/session.server.ts';
import { NOW } from '../../src/features/visa/testing/sample-answers.ts';
import { indian, southAfrican } from '../../src/features/visa/testing/sample-browser.server.ts';
import { seeders } from '../../src/app/composition/seeders.server.ts';
import routes from '../../src/routes.ts';
import { storeObjects } from '../access/objects.ts';
import { routePages, fillAddress, pageAddresses } from '../routes-and-calls.ts';
import { makeTestApp } from '../pages.ts';
import { makeTestPlatform } from '../platform.ts';
import { readPage, type RenderedForm } from './read-forms.ts';
import { applicationCorrections, makeApplication, makeInsurance } from '../make.ts';
import { needed } from '../needed.ts';

const platform = await makeTestPlatform({ now: NOW, variables: { TRUST_PROXY: 'yes' } });
const app = makeTestApp(platform);

type Visit = (path: string, init?: RequestInit) => Promise<{ response: Response; html: string }>;

let visitors = 0;
/** A browser without scripts, from an address of its own, so that no limit is met. */
function newBrowser(jar = new Map<string, string>()): Visit {
  visitors += 1;
  const address = `10.0.${visitors >> 8}.${visitors & 255}`;
  return async (path, init = {}) => {
    const headers = new Headers({ accept: 'text/html', 'x-forwarded-for': address });
    headers.set('cookie', [...jar].map((pair) => pair.join('=')).join('; '));
    const response = await app.request(path, { ...init, headers });
    for (const line of response.headers.getSetCookie()) {
      const [pair = ''] = line.split(';');
      jar.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1));
    }
    const isPage = response.headers.get('content-type')?.startsWith('text/html') ?? false;
    if (!isPage) await response.body?.cancel();
    return { response, html: isPage ? await response.text() : '' };
  };
}

const sent = (fields: Record<string, string>): RequestInit => ({
  method: 'POST',
  body: new URLSearchParams(fields),
});

/** A browser that has answered the wizard's steps before this one. */
async function walked(
  answers: Record<string, string>,
  steps: readonly string[],
  extra: Record<string, string> = {},
): Promise<Visit> {
  const visit = newBrowser();
  for (const step of ['', ...steps]) {
    const place = `/application${step && `/${step}`}${extra.party ? '?traveller=1' : ''}`;
    const { response } = await visit(place, sent({ intent: 'next', ...answers, ...extra }));
    expect(response.status, `${place} is answered`).toBe(303);
  }
  return visit;
}

const short = ['what-it-allows', 'arrival', 'details'];
const long = ['supporting-document', 'arrival', 'prerequisites', 'details'];
const before = (steps: readonly string[], step: string) => steps.slice(0, steps.indexOf(step));

const stored = await (async () => {
  await seedAll(platform.db, seeders, platform.now());
  const { at } = await storeObjects(platform);
  const clerk = await storeStaff(platform, { role: 'administrator' });
  const paid = await makeApplication(platform);
  const insured = await makeInsurance(platform, { dateOfBirth: '2012-02-29', paid: true });
  await askCorrection(platform, clerk, {
    applicationId: paid.id,
    fields: ['firstName', 'passportExpiryDate', 'address', 'email', 'phone'],
    note: 'Please check',
  });
  const asked = await askCorrection(platform, clerk, {
    applicationId: insured.id,
    fields: ['firstName', 'returnDate', 'parentIdPhotos'],
    note: 'Please check',
  });
  expect(asked).toMatchObject({ ok: true });
  const linkOf = async (application: typeof insured) => {
    const [correction] = await applicationCorrections(platform.db, application.id);
    return new URL(correctionAddress(platform, needed(correction), application)).pathname.slice(3);
  };
  return {
    clerk,
    at,
    paid,
    privacy: `/admin/privacy/${at['/admin/privacy/:id'][0]}`,
    approved: at['/admin/orders/:number'][1] ?? '',
    correction: await linkOf(paid),
    insuranceCorrection: await linkOf(insured),
  };
})();

async function staffBrowser(): Promise<Visit> {
  const opened = { accountId: stored.clerk.id, half: false, now: platform.now() };
  const [cookie = ''] = sessionCookie(platform, await openSession(platform.db, opened)).split(';');
  return newBrowser(
    new Map([[cookie.slice(0, cookie.indexOf('=')), cookie.slice(cookie.indexOf('=') + 1)]]),
  );
}

type Opening = { browser: () => Promise<Visit>; path: string };
const anyone = async () => newBrowser();

const insuranceDraft = async () => {
  const visit = newBrowser();
  const body = new FormData();
  for (const [name, value] of Object.entries(adultForm)) body.append(name, value);
  const { response } = await visit('/insurance', { method: 'POST', body });
  expect(response.status).toBe(303);
  return visit;
};

/** Pages that need something stored, or more than one state. All others are opened as they are. */
const openings: Record<string, readonly Opening[]> = {
  '/application/supporting-document': [
    { browser: () => walked(indian, []), path: '/application/supporting-document' },
  ],
  '/application/what-it-allows': [
    { browser: () => walked(southAfrican, []), path: '/application/what-it-allows' },
  ],
  '/application/arrival': [
    { browser: () => walked(southAfrican, before(short, 'arrival')), path: '/application/arrival' },
    { browser: () => walked(indian, before(long, 'arrival')), path: '/application/arrival' },
  ],
  '/application/prerequisites': [
    {
      browser: () => walked(indian, before(long, 'prerequisites')),
      path: '/application/prerequisites',
    },
  ],
  '/application/details': [
    { browser: () => walked(southAfrican, before(short, 'details')), path: '/application/details' },
  ],
  '/application/review': [
    { browser: () => walked(southAfrican, short), path: '/application/review' },
  ],
  '/application/travellers': [
    {
      browser: () =>
        walked(
          {
            ...southAfrican,
            'dateOfBirth-day': '3',
            'dateOfBirth-month': '2',
            'dateOfBirth-year': '2015',
          },
          short,
          { party: 'group' },
        ),
      path: '/application/travellers',
    },
  ],
  '/application/correct/:token': [{ browser: anyone, path: stored.correction }],
  '/insurance/correct/:token': [{ browser: anyone, path: stored.insuranceCorrection }],
  '/insurance/review': [{ browser: insuranceDraft, path: '/insurance/review' }],
  '/status': [
    { browser: anyone, path: '/status' },
    { browser: anyone, path: `/status?ref=${stored.approved}&download=document` },
  ],
  '/admin': [
    { browser: anyone, path: '/admin' },
    { browser: staffBrowser, path: '/admin' },
  ],
  ...Object.fromEntries(
    ['/admin/forgotten', '/admin/reset/:token', '/admin/invitation/:token'].map((pattern) => [
      pattern,
      [{ browser: anyone, path: fillAddress(pattern, stored.at) }],
    ]),
  ),
};

function openingsOf(pattern: string): readonly Opening[] {
  const known = openings[pattern];
  if (known) return known;
  const isDesk = /^\/admin(\/|$)/.test(pattern);
  const objects = Object.entries(stored.at).find(([start]) => pattern.startsWith(start))?.[1] ?? [];
  const paths = pattern.includes(':')
    ? (objects.length > 0 ? objects : ['x']).map((values) =>
        values.split(' ').reduce((path, value) => path.replace(/:\w+\??/, value), pattern),
      )
    : [pattern];
  return paths.map((path) => ({
    browser: isDesk ? staffBrowser : anyone,
    path: path.replace(/\/:\w+\?/, ''),
  }));
}

/** The partners' own pages, which stand in for pages outside this service, and pages of tests. */
const isLab = (pattern: string): boolean =>
  /^\/(lab\/|mock-gpay-payment|.*paypal|payment-|direct-card|mobile-|live-|debug-|texts|simple|payment-mock)/.test(
    pattern,
  );

const SWITCH = 'switch_language';
const kinds = ['empty', 'wrong'] as const;

const dateParts: Record<string, string> = { day: '31', month: '2', year: '2027' };

function valueFor(
  kind: (typeof kinds)[number],
  control: RenderedForm['controls'][number],
): string | null {
  if (control.kind === 'hidden') return control.value;
  if (control.kind === 'radio' || control.kind === 'checkbox') return kind === 'empty' ? null : 'x';
  if (kind === 'empty') return '';
  const [, part = ''] = /-(day|month|year)$/.exec(control.name) ?? [];
  if (dateParts[part]) return dateParts[part];
  return control.kind === 'select' ? 'nowhere' : '§';
}

function bodyOf(
  form: RenderedForm,
  kind: (typeof kinds)[number],
  button: { name: string; value: string },
): FormData {
  const body = new FormData();
  const choices = new Set<string>();
  for (const control of form.controls) {
    if (control.kind === 'file') {
      const file = kind === 'empty' ? new File([], '') : new File(['text'], 'x.txt');
      body.append(control.name, file);
      continue;
    }
    const isChoice = control.kind === 'radio' || control.kind === 'checkbox';
    if (isChoice && choices.has(control.name)) continue;
    choices.add(control.name);
    const chosen = form.controls.find(
      ({ name, kind: one, isChosen }) => name === control.name && one === 'radio' && isChosen,
    );
    // A browser cannot take back what the page has chosen; but what was on sale may be gone.
    const isKept = chosen && (kind === 'empty' || !sold.includes(control.name));
    const value = isKept ? chosen.value : valueFor(kind, control);
    if (value !== null) body.append(control.name, value);
  }
  if (button.name) body.append(button.name, button.value);
  return body;
}

/** Choices of what is sold, which may end while a page is open. */
const sold = ['insurance', 'productId', 'processingType'];

const isVisible = ({ kind }: { kind: string }) => kind !== 'hidden';
const isText = ({ kind }: { kind: string }) =>
  !['hidden', 'radio', 'checkbox', 'select', 'file', 'password'].includes(kind);

const keyOf = (form: RenderedForm) =>
  [
    form.action,
    form.controls.map(({ name }) => name).filter((name, at, all) => all.indexOf(name) === at),
    form.buttons.map(({ name, value }) => `${name}=${value}`),
  ].join(' | ');

type Finding = { pattern: string; form: string; wasRefused: boolean; faults: string[] };

async function submitAll(pattern: string, opening: Opening, seen: Set<string>): Promise<Finding[]> {
  const findings: Finding[] = [];
  const { html } = await (await opening.browser())(opening.path);
  for (const form of readPage(html).forms) {
    if (form.method === 'get' && !['/', '/status', '/status/cancel'].includes(pattern)) continue;
    if (!form.controls.some(isVisible)) continue;
    const key = `${pattern} ${keyOf(form)}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const finding: Finding = { pattern, form: keyOf(form), wasRefused: false, faults: [] };
    findings.push(finding);
    const buttons = form.buttons.filter(({ value, action }) => value !== SWITCH && action === null);
    for (const button of buttons.length > 0 ? buttons : [{ name: '', value: '' }]) {
      for (const kind of kinds) {
        const visit = await opening.browser();
        const page = await visit(opening.path);
        const again = readPage(page.html).forms.find((one) => keyOf(one) === keyOf(form)) ?? form;
        const body = bodyOf(again, kind, button);
        const target = (form.action ?? opening.path).split('#')[0] || opening.path;
        const query = new URLSearchParams();
        for (const [name, value] of body) if (typeof value === 'string') query.append(name, value);
        const answer =
          form.method === 'get'
            ? await visit(`${target.split('?')[0]}?${query}`)
            : await visit(target, { method: 'POST', body: form.isMultipart ? body : query });
        const { status } = answer.response;
        if (answer.html === '' || (status >= 300 && status < 400)) continue;
        const shown = readPage(answer.html);
        const isRefused = status === 422 || status === 409 || shown.refused.length > 0;
        if (!isRefused) continue;
        finding.wasRefused = true;
        const fault = (text: string) =>
          finding.faults.push(`${kind} ${button.value || '(button)'} → ${status}: ${text}`);
        if (!shown.title.startsWith('Error: ')) fault(`the title is ${shown.title}`);
        if (!shown.summary) {
          fault(`no summary; ${shown.alerts.join(' / ') || 'no word'}`);
          continue;
        }
        if (!shown.summary.takesFocus) fault('the summary takes no focus');
        const unknown = shown.summary.links.filter((link) => !shown.ids.has(link));
        if (unknown.length > 0) fault(`linked, but not on the page: ${unknown.join()}`);
        const unlisted = shown.refused.filter((one) => !shown.summary?.links.includes(one));
        if (unlisted.length > 0) fault(`not in the summary: ${unlisted.join()}`);
        const unmarked = shown.summary.links.filter((link) => !shown.refused.includes(link));
        if (unmarked.length > 0) fault(`no message at ${unmarked.join()}`);
        const kept = shown.forms.find((one) =>
          form.controls
            .filter(isVisible)
            .every(({ name }) => one.controls.some((c) => c.name === name)),
        );
        if (!kept) {
          if (!(form.action !== null && form.action in onAnotherPage)) fault('the form is gone');
          continue;
        }
        const lost = kept.controls.filter(
          (control) =>
            isText(control) &&
            form.controls.some(({ name }) => name === control.name) &&
            !/code$/i.test(control.name) &&
            control.value !== valueFor(kind, control),
        );
        if (lost.length > 0) fault(`lost: ${lost.map(({ name }) => name).join()}`);
      }
    }
  }
  return findings;
}

/** Forms that another page answers, and why it does not show them again. */
const onAnotherPage: Record<string, string> = {
  '/admin/bulk': 'it asks what is to be said for all, and a link leads back to the list',
};

/** What nothing wrong can be sent to, and why. */
const neverRefused: Record<string, string> = {
  '/admin/account': 'a choice that the page has made already',
  '/admin/privacy/:id': 'a choice that the page has made already',
  '/admin/search': 'anything may be looked for',
  '/admin/views': 'without a name nothing is kept, and the queue stays as it is',
};

/** Actions whose page shows no field to fill in here, and why. */
const withoutFields: Record<string, string> = {
  '/admin/applications/:number/decision/:id': 'one button that sends what is previewed',
  '/admin/invitation/:token': 'its one field is that of a new password: `reset.server.test.ts`',
  '/admin/next': 'a button of the queue',
  '/admin/passkeys': 'sent by scripts',
  '/admin/reset/:token': 'its one field is that of a new password: `reset.server.test.ts`',
  '/admin/search': 'the box of every page of the desk',
  '/admin/sign-out': 'a button of every page of the desk',
  '/admin/undo': 'a button',
  '/admin/views': 'a form of the queue',
  '/application/change': 'one button',
  '/application/keep': 'sent by scripts while typing',
  '/application/resume/:token': 'one button',
  '/application/saved': 'one button',
  '/insurance/change': 'one button',
  '/insurance/keep': 'sent by scripts while typing',
  '/insurance/payment': 'buttons',
  '/insurance/resume/:token': 'one button',
  '/insurance/saved': 'one button',
  '/pay': 'a button of other pages',
  '/gpay-checkout': 'one button, after coming back from the partner',
  '/status/cancel': 'a choice that only the payer of several applications is shown',
};

const findings: Finding[] = [];
beforeAll(async () => {
  const seen = new Set<string>();
  for (const pattern of pageAddresses().filter((one) => !isLab(one))) {
    for (const opening of openingsOf(pattern)) {
      findings.push(...(await submitAll(pattern, opening, seen)));
    }
  }
}, 600_000);

test('the forms of every page are found', () => {
  const source = join(import.meta.dirname, '..', '..', 'src');
  const takesForms = routePages(routes)
    .filter(({ pattern, file }) => {
      const text = readFileSync(join(source, file), 'utf8');
      return !isLab(pattern) && /export (async function|const) action/.test(text);
    })
    .map(({ pattern }) => pattern || '/');
  const found = new Set(findings.map(({ pattern }) => pattern));
  expect(takesForms.filter((pattern) => !found.has(pattern)).sort()).toEqual(
    Object.keys(withoutFields).sort(),
  );
});

test('whatever is refused says so in title, summary and at the field, and keeps what was typed', () => {
  expect(findings.length).toBeGreaterThan(90);
  expect(findings.filter(({ faults }) => faults.length > 0)).toEqual([]);
});

test('only what is looked for or named by staff is never refused', () => {
  const accepted = findings.filter(({ wasRefused }) => !wasRefused);
  const names = accepted.map(({ pattern, form }) => {
    const [action = ''] = form.split(' | ');
    return action.startsWith(stored.privacy) ? pattern : action;
  });
  expect([...new Set(names)].sort()).toEqual(Object.keys(neverRefused).sort());
});
