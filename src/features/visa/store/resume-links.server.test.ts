import { afterEach, describe, expect, it } from 'vitest';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { handleNationalitySubmit } from '../wizard/nationality.server.ts';
import { startParty } from '~/features/form/draft/party.server.ts';
import {
  savedPage,
  peekResumedAnswers,
  RESUME_JOB,
  resumeFormDraft as resumeDraft,
  readResumeMail,
  sendResumeLink,
  type ResumeMail,
} from '~/features/form/draft/resume.server.ts';
import { hashToken } from '~/platform/crypto/crypto.server.ts';
import { NOW } from '../testing/sample-answers.ts';
import { visaDrafts } from './draft.server.ts';
import { makeBrowser, southAfrican, storeCountries } from '../testing/sample-browser.server.ts';
import {
  handleStepSubmit,
  openStep,
  draftPage,
  stepView,
  type StepArgs,
} from '../wizard/wizard.server.ts';

const platform = await makeTestPlatform({ now: NOW });
await storeCountries(platform);
afterEach(async () => {
  platform.clock.set(NOW);
  // All browsers here have one address.
  await platform.pool.query('delete from rate_limit');
});

const resume = (token: string, address: string) =>
  resumeDraft(visaDrafts, platform, token, address);
const canResume = async (token: string) =>
  (await peekResumedAnswers(visaDrafts, platform, token, 'en')) !== null;
const DAY_MS = 24 * 3600_000;
const takeArrival = (args: StepArgs) => handleStepSubmit('arrival', args);
const openDetails = async (args: StepArgs) => stepView('details', await openStep('details', args));

/** Asks for a link at the arrival step; returns what the email would contain. */
async function askForLink(email: string, changes: Record<string, string> = {}) {
  const browser = makeBrowser(platform);
  await browser.post(handleNationalitySubmit, southAfrican);
  await browser.post((args: StepArgs) => handleStepSubmit('what_it_allows', args), southAfrican);
  const answer = await browser.post(takeArrival, {
    ...southAfrican,
    ...changes,
    intent: 'later',
    saveEmail: email,
  });
  const mails: ResumeMail[] = [];
  await platform.runJobs({
    [RESUME_JOB]: async (payload) => {
      expect(JSON.stringify(payload)).not.toContain(email);
      mails.push(readResumeMail(platform, payload));
    },
  });
  return { browser, answer, mail: mails[0], token: mails[0]?.url.split('/').at(-1) ?? '' };
}

const tokenIn = (setCookie: string) => setCookie.split(';')[0]?.split('=')[1] ?? '';

/** The token of the link that was asked for last. */
async function lastLink() {
  let url = '';
  await platform.runJobs({
    [RESUME_JOB]: async (payload) => {
      ({ url } = readResumeMail(platform, payload));
    },
  });
  return url.split('/').at(-1) ?? '';
}

describe('a link by e-mail', () => {
  it('opens the draft, with what was typed, on another device at its first open step', async () => {
    const { answer, mail, token } = await askForLink('one@traveller.example');
    expect(answer).toMatchObject({ status: 303, location: '/application/saved' });
    expect(mail).toMatchObject({ email: 'one@traveller.example', language: 'en', days: 28 });
    expect(mail?.url).toMatch(/\/en\/application\/resume\/[\w-]{22}$/);

    expect(await canResume(token)).toBe(true);
    expect(await canResume(token)).toBe(true);
    const resumed = await resume(token, '192.0.2.2');
    if (!resumed.ok) throw new Error(resumed.error);
    expect(await draftPage(platform, resumed.value.draft, 'en')).toBe('/application/details');

    const other = makeBrowser(platform);
    other.cookies.set('lale_draft', tokenIn(resumed.value.setCookie));
    expect((await other.get(openDetails)).data).toMatchObject({ country: { code: 'ZAF' } });
  });

  it('asks about an address that looks mistyped, and goes where the traveller says', async () => {
    const asked = await askForLink('one@gmial.com');
    const later = { email: 'one@gmial.com', code: 'mistyped', suggestion: 'one@gmail.com' };
    expect(asked.answer).toMatchObject({ status: 422, data: { later } });
    expect(asked.mail).toBeUndefined();
    const kept = await askForLink('one@gmial.com', { saveEmailAnswer: 'one@gmial.com' });
    expect(kept.mail?.email).toBe('one@gmial.com');
    const meant = await askForLink('one@gmial.com', { saveEmailAnswer: 'one@gmail.com' });
    expect(meant.mail?.email).toBe('one@gmail.com');
  });

  it('is the only way to go on once it was used: the browser that asked sees nothing of it', async () => {
    const { browser, token } = await askForLink('two@traveller.example');
    const resumed = await resume(token, '192.0.2.2');
    expect(resumed.ok).toBe(true);
    const ended = { status: 303, location: '/application/saved', data: null };
    expect(await browser.get(openDetails)).toEqual(ended);
    expect(await browser.post(takeArrival, { ...southAfrican, intent: 'later' })).toEqual(ended);
    const { load, act } = savedPage(visaDrafts, draftPage);
    expect(await browser.get(load)).toMatchObject({ status: 200, data: { goOn: null } });
    // Another application begins when asked for, and not before.
    expect(await browser.get(openDetails)).toEqual(ended);
    expect(await browser.post(act, {})).toMatchObject({ location: '/application' });
    expect((await browser.get(openDetails)).location).toBe('/application');
  });

  it('ends every other link, so that the asker’s own address does not open what was typed since', async () => {
    const { browser, token } = await askForLink('six@traveller.example');
    await browser.post(takeArrival, {
      ...southAfrican,
      intent: 'later',
      saveEmail: 'asker@traveller.example',
    });
    const own = await lastLink();
    expect(await canResume(own)).toBe(true);
    const [used, late] = await Promise.all([
      resume(token, '192.0.2.2'),
      resume(token, '192.0.2.3'),
    ]);
    expect([used.ok, late.ok].filter(Boolean)).toHaveLength(1);
    expect(await canResume(own)).toBe(false);
    expect(await resume(own, '192.0.2.3')).toEqual({ ok: false, error: 'over' });
  });

  it('ends the access of every browser of a whole party', async () => {
    const { browser, token } = await askForLink('seven@traveller.example');
    const [cookie = ''] = [browser.cookies.get('lale_draft')];
    const own = await resume(token, '192.0.2.2');
    if (!own.ok) throw new Error(own.error);
    await startParty(platform, own.value.draft);
    const later = makeBrowser(platform);
    later.cookies.set('lale_draft', tokenIn(own.value.setCookie));
    await later.post(
      takeArrival,
      { ...southAfrican, intent: 'later', saveEmail: 'eight@traveller.example' },
      '/application?traveller=1',
    );
    const next = await resume(await lastLink(), '192.0.2.4');
    expect(next.ok).toBe(true);
    for (const ended of [cookie, tokenIn(own.value.setCookie)]) {
      const other = makeBrowser(platform);
      other.cookies.set('lale_draft', ended);
      expect((await other.get(openDetails)).location).toBe('/application/saved');
    }
  });

  it('is not sent any more to a browser whose access ended at that moment', async () => {
    const { browser, token } = await askForLink('nine@traveller.example');
    const cookie = browser.cookies.get('lale_draft') ?? '';
    const resumed = await resume(token, '192.0.2.2');
    if (!resumed.ok) throw new Error(resumed.error);
    const asked = {
      draftId: resumed.value.draft.id,
      email: 'asker@traveller.example',
      language: 'en',
      address: '192.0.2.9',
      opener: hashToken(cookie),
    };
    await expect(sendResumeLink(visaDrafts, platform, asked)).rejects.toMatchObject({
      status: 303,
    });
  });

  it('says before it is used that somebody began the application, and with which answers', async () => {
    const { mail, token } = await askForLink('ten@traveller.example');
    expect(mail?.answered).toEqual(expect.arrayContaining(['Nationality', 'Arrival date']));
    const begun = await peekResumedAnswers(visaDrafts, platform, token, 'en');
    expect(begun?.facts[0]).toEqual({ term: 'Nationality', value: 'South Africa' });
    expect(begun?.others).toContain('Travel document');
  });

  it('works once, also for two at the same moment', async () => {
    const { token } = await askForLink('three@traveller.example');
    const tries = await Promise.all([1, 2, 3].map(() => resume(token, '192.0.2.2')));
    expect(tries.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await canResume(token)).toBe(false);
  });

  it('works for 28 days', async () => {
    const { token } = await askForLink('four@traveller.example');
    platform.clock.advance(28 * DAY_MS - 1);
    expect(await canResume(token)).toBe(true);
    platform.clock.advance(1);
    expect(await canResume(token)).toBe(false);
    expect(await resume(token, '192.0.2.2')).toEqual({ ok: false, error: 'over' });
  });

  it('is not opened by guessing', async () => {
    expect(await resume('guess', '192.0.2.9')).toEqual({ ok: false, error: 'over' });
    for (let tries = 0; tries < 19; tries += 1) await resume(`guess${tries}`, '192.0.2.9');
    expect(await resume('guess', '192.0.2.9')).toEqual({ ok: false, error: 'too_many' });
  });

  it('is not sent to something that is no address, and keeps what was typed', async () => {
    const { answer, browser, mail } = await askForLink('nobody', { 'arrivalDate-day': '21' });
    expect(answer).toMatchObject({
      status: 422,
      data: { later: { code: 'invalid', email: 'nobody' }, typed: { 'arrivalDate-day': '21' } },
    });
    expect(mail).toBeUndefined();
    const open = async (args: StepArgs) => stepView('arrival', await openStep('arrival', args));
    expect((await browser.get(open)).data).toMatchObject({ typed: { 'arrivalDate-day': '21' } });
  });

  it('is sent to an address three times an hour', async () => {
    for (let count = 0; count < 3; count += 1) {
      expect((await askForLink('five@traveller.example')).answer.status).toBe(303);
    }
    expect((await askForLink('Five@traveller.example')).answer).toMatchObject({
      status: 429,
      data: { later: { code: 'too_many' } },
    });
  });
});
