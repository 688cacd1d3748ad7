import { afterEach, describe, expect, it } from 'vitest';
import { makeTestPlatform } from '../../../../test/platform.ts';
import { handleNationalitySubmit } from '../wizard/nationality.server.ts';
import type { ResumeMail } from '~/features/form/draft/resume.server.ts';
import { canResume, resume, resumeMailOf } from './draft.server.ts';
import { NOW } from '../testing/sample-answers.ts';
import { makeBrowser, southAfrican, storeCountries } from '../testing/sample-browser.server.ts';
import { handleStepSubmit } from '../wizard/handle-step-submit.server.ts';
import { openStep, placeOfDraft, viewOf, type StepArgs } from '../wizard/wizard.server.ts';

const platform = await makeTestPlatform({ now: NOW });
await storeCountries(platform);
afterEach(() => platform.clock.set(NOW));

const DAY_MS = 24 * 3600_000;
const takeArrival = (args: StepArgs) => handleStepSubmit('arrival', args);
const openDetails = async (args: StepArgs) => viewOf('details', await openStep('details', args));

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
    'visa.resume_link': async (payload) => {
      expect(JSON.stringify(payload)).not.toContain(email);
      mails.push(resumeMailOf(platform, payload));
    },
  });
  return { browser, answer, mail: mails[0], token: mails[0]?.url.split('/').at(-1) ?? '' };
}

describe('a link by e-mail', () => {
  it('opens the draft, with what was typed, on another device at its first open step', async () => {
    const { answer, mail, token } = await askForLink('one@traveller.example');
    expect(answer).toMatchObject({ status: 303, location: '/application/saved' });
    expect(mail).toMatchObject({ email: 'one@traveller.example', language: 'en', days: 28 });
    expect(mail?.url).toMatch(/\/en\/application\/resume\/[\w-]{22}$/);

    expect(await canResume(platform, token)).toBe(true);
    expect(await canResume(platform, token)).toBe(true);
    const resumed = await resume(platform, token, '192.0.2.2');
    if (!resumed.ok) throw new Error(resumed.error);
    expect(await placeOfDraft(platform, resumed.value.draft, 'en')).toBe('/application/details');

    const other = makeBrowser(platform);
    const [pair = ''] = resumed.value.setCookie.split(';');
    other.cookies.set('lale_draft', pair.split('=')[1] ?? '');
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

  it('leaves the first device its draft', async () => {
    const { browser, token } = await askForLink('two@traveller.example');
    await resume(platform, token, '192.0.2.2');
    expect(await browser.get(openDetails)).toMatchObject({ status: 200 });
  });

  it('works once, also for two at the same moment', async () => {
    const { token } = await askForLink('three@traveller.example');
    const tries = await Promise.all([1, 2, 3].map(() => resume(platform, token, '192.0.2.2')));
    expect(tries.filter(({ ok }) => ok)).toHaveLength(1);
    expect(await canResume(platform, token)).toBe(false);
  });

  it('works for 28 days', async () => {
    const { token } = await askForLink('four@traveller.example');
    platform.clock.advance(28 * DAY_MS - 1);
    expect(await canResume(platform, token)).toBe(true);
    platform.clock.advance(1);
    expect(await canResume(platform, token)).toBe(false);
    expect(await resume(platform, token, '192.0.2.2')).toEqual({ ok: false, error: 'over' });
  });

  it('is not opened by guessing', async () => {
    expect(await resume(platform, 'guess', '192.0.2.9')).toEqual({ ok: false, error: 'over' });
    for (let tries = 0; tries < 19; tries += 1)
      await resume(platform, `guess${tries}`, '192.0.2.9');
    expect(await resume(platform, 'guess', '192.0.2.9')).toEqual({ ok: false, error: 'too_many' });
  });

  it('is not sent to something that is no address, and keeps what was typed', async () => {
    const { answer, browser, mail } = await askForLink('nobody', { 'arrivalDate-day': '21' });
    expect(answer).toMatchObject({
      status: 422,
      data: { later: { code: 'invalid', email: 'nobody' }, typed: { 'arrivalDate-day': '21' } },
    });
    expect(mail).toBeUndefined();
    const open = async (args: StepArgs) => viewOf('arrival', await openStep('arrival', args));
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
