import { leaveSessionsIdle, storeTeam, storeVisas } from './desk-seed.ts';
import { recordLiveRegions } from './live-regions.ts';
import {
  expect,
  expectAccessible,
  newPassport,
  scriptsRun,
  signedInPage,
  tabTo,
  test,
  typeInto,
  type Page,
} from './lale.ts';

/** Nationalities of no other journey: so the list and “next” hold these alone, in the order of their names. */
const listOf = (countryCode: string) => `/admin?nationality=${countryCode}&sort=name`;

const storePeople = (countryCode: string, ...names: string[]) =>
  storeVisas(
    names.map((lastName) => ({
      firstName: 'Ana',
      lastName,
      passportNumber: newPassport('T'),
      countryCode,
      language: 'ar',
    })),
  );

/** Shortcuts work once the page's scripts run. */
const ready = (page: Page) =>
  expect(page.getByText('turn shortcuts off', { exact: false })).toBeVisible();

const nameOf = (page: Page) => page.locator('#application-name');

test.use({ viewport: { width: 1280, height: 900 } });

test('decisions by keyboard: whose application is open and what was done is heard, once each', async ({
  context,
  baseURL,
}) => {
  test.slow();
  const { cookie } = await storePeople('TUV', 'Adams', 'Baker', 'Clark', 'Davis', 'Evans');
  const page = await signedInPage(context, cookie, baseURL);
  // Longer than the journey takes: the emails leave after it.
  await page.request.post('/admin/account', {
    form: { intent: 'undo', undoSeconds: '60' },
    headers: { origin: new URL(baseURL ?? '').origin },
  });
  const keys = page.keyboard;
  const live = await recordLiveRegions(page);
  let taken = 0;
  // Counts of the whole desk change with what other journeys do.
  const own = () => live.heard().filter((line) => !/^polite: \d/.test(line));
  const expectHeard = async (lines: readonly string[]) => {
    await expect.poll(() => own().slice(taken)).toEqual(lines);
    taken += lines.length;
  };
  const preview = async () => {
    await expect(page.locator('#send-next')).toBeVisible();
    await scriptsRun(page);
    await expect(page.getByRole('heading', { level: 1 })).toBeFocused();
  };
  const sendByButton = async () => {
    await tabTo(page, 'form:has(#send-next) button:not([name])');
    await keys.press('Enter');
  };
  await page.goto(listOf('TUV'));
  await ready(page);
  await keys.press('j');
  await keys.press('Enter');
  await expect(nameOf(page)).toBeFocused();
  await expectHeard([
    'title: Applications – Lale',
    `focus: ${await page.locator('.queue-link').first().textContent()}`.replace(
      /(TRV)(.{4})(.{4})(.{4})/,
      '$1 $2 $3 $4 ',
    ),
    'focus: Adams, Ana',
    'title: Adams, Ana – Lale',
  ]);

  // Approved.
  await keys.press('a');
  await preview();
  await sendByButton();
  await expect(nameOf(page)).toBeFocused();
  await expectHeard([
    'focus: Approve…',
    'title: Approve the application for Ana Adams – Lale',
    'focus: Approve the application for Ana Adams',
    'focus: Approve and send email',
    'title: Adams, Ana – Lale',
    'focus: Adams, Ana',
    'polite: Approved: Adams, Ana. Undo with U, 1 minute.',
  ]);

  // Approved, and the next one opened.
  await ready(page);
  await keys.press('n');
  await expect(nameOf(page)).toHaveText('Baker, Ana');
  await ready(page);
  await keys.press('a');
  await preview();
  await keys.press('Control+Enter');
  await expect(nameOf(page)).toHaveText('Clark, Ana');
  await expectHeard([
    'focus: Take the next one',
    'focus: Baker, Ana',
    'title: Baker, Ana – Lale',
    'focus: Approve…',
    'title: Approve the application for Ana Baker – Lale',
    'focus: Approve the application for Ana Baker',
    'title: Clark, Ana – Lale',
    'focus: Clark, Ana',
    'polite: Approved: Baker, Ana. Undo with U, 1 minute.',
  ]);

  // Undone.
  await keys.press('u');
  await expect(nameOf(page)).toHaveText('Baker, Ana');
  await expectHeard([
    'focus: Baker, Ana',
    'title: Baker, Ana – Lale',
    'polite: Undone. No email was sent.',
  ]);

  // Rejected; at first without a reason.
  await ready(page);
  await keys.press('n');
  await expect(nameOf(page)).toHaveText('Davis, Ana');
  await keys.press('r');
  const dialog = page.locator('#reject-dialog:modal');
  // An English voice reads the language's name; what is Arabic is marked.
  await expect(dialog).toContainText('Arabic');
  await expect(dialog).not.toContainText('العربية');
  await expect(dialog.getByRole('textbox')).toHaveAttribute('lang', 'ar');
  await tabTo(page, 'button[form="reject-form"]');
  await keys.press('Enter');
  const reason = page.getByRole('combobox', { name: 'Reason' });
  await expect(reason).toHaveAttribute('aria-invalid', 'true');
  await expect(reason).toHaveAccessibleDescription(/Choose a reason, or write your own\./);
  await expect(reason).toBeFocused();
  await expect(page.getByRole('textbox', { name: 'In your own words' })).not.toHaveAttribute(
    'aria-invalid',
  );
  await typeInto(page, 'reasonCode', 'There is another');
  await tabTo(page, 'button[form="reject-form"]');
  await keys.press('Enter');
  await preview();
  await sendByButton();
  await expect(nameOf(page)).toBeFocused();
  await expectHeard([
    'focus: Take the next one',
    'focus: Davis, Ana',
    'title: Davis, Ana – Lale',
    'focus: Reject…',
    'focus: Reason',
    'focus: In your own words',
    'focus: Preview the email',
    'title: Error: Davis, Ana – Lale',
    'focus: Reason',
    'focus: In your own words',
    'focus: Preview the email',
    'title: Reject the application for Ana Davis – Lale',
    'focus: Reject the application for Ana Davis',
    'focus: Reject and send email',
    'title: Davis, Ana – Lale',
    'focus: Davis, Ana',
    'polite: Rejected: Davis, Ana. Undo with U, 1 minute.',
  ]);

  // Taken, with its processing started, and corrections asked for.
  await ready(page);
  await keys.press('n');
  await expect(nameOf(page)).toHaveText('Evans, Ana');
  await ready(page);
  await keys.press('s');
  await expect(page.locator('[form="hand-in"]')).toBeFocused();
  await keys.press('Enter');
  await expect(page.getByTestId('status').first()).toHaveText('Processing');
  await expectHeard([
    'focus: Take the next one',
    'focus: Evans, Ana',
    'title: Evans, Ana – Lale',
    'focus: Authority’s reference number (optional)',
    'focus: Evans, Ana',
    'polite: Processing started: Evans, Ana. Undo with U, 1 minute.',
  ]);
  await ready(page);
  await keys.press('c');
  await expect(page.locator('#correction input[type="checkbox"]').first()).toBeFocused();
  await tabTo(page, '#correction button[value="correction"]');
  await keys.press('Enter');
  await expect(page.locator('.error-summary')).toBeFocused();
  await tabTo(page, '.error-summary a');
  await keys.press('Enter');
  await expect(page.locator('#reopen')).toBeFocused();
  await expect(page.locator('#correction').getByText('Select at least one field.')).toBeVisible();
  await expect(page).toHaveTitle(/^Error/);
  // Of any field in ten keys: C, as many as half of the boxes, Space and Ctrl+Enter.
  const boxes = page.locator('#correction input[type="checkbox"]');
  expect(Math.floor((await boxes.count()) / 2) + 3).toBeLessThanOrEqual(10);
  await keys.press('ArrowUp');
  await expect(boxes.last()).toBeFocused();
  await keys.press('Space');
  await keys.press('Control+Enter');
  await expect(nameOf(page)).toBeFocused();
  const said = () =>
    own()
      .slice(taken)
      .filter((line) => !line.startsWith('focus'));
  // The stream of events announces the email, unless it was sent before the page came back.
  const emails = 'polite: The emails for this application have changed.';
  await expect
    .poll(() =>
      said()
        .filter((line) => line !== emails)
        .toSorted(),
    )
    .toEqual([
      'assertive: Select at least one field.',
      'polite: We’ve asked the traveller for a correction. The ready-by time is paused.',
      'title: Error: Evans, Ana – Lale',
      'title: Evans, Ana – Lale',
    ]);
  expect(said().filter((line) => line === emails).length).toBeLessThanOrEqual(1);
});

test('rows are chosen one by one, in a range by keys and by mouse, and handed in together and undone @nightly', async ({
  context,
  baseURL,
}) => {
  const { cookie, numbers } = await storePeople('KIR', 'Alesana', 'Faleta', 'Penitusi', 'Sopoaga');
  const page = await signedInPage(context, cookie, baseURL);
  await page.goto(listOf('KIR'));
  await ready(page);
  const bar = page.getByRole('form', { name: 'Selected applications' });
  const box = (name: string) => page.getByRole('checkbox', { name: `Select ${name}, Ana` });

  // J goes from row to row, I chooses the row that has the focus, Shift+I all up to it; the focus stays in the list.
  await page.keyboard.press('j');
  await page.keyboard.press('i');
  await expect(bar.getByRole('status')).toHaveText('Selected: 1');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await page.keyboard.press('Shift+I');
  await expect(bar.getByRole('status')).toHaveText('Selected: 3');
  await expect(box('Faleta')).toBeChecked();
  await expect(box('Sopoaga')).not.toBeChecked();
  await expect(page.locator(`[data-number="${numbers[2]}"] .queue-link`)).toBeFocused();
  await page.keyboard.press('i');
  await expect(box('Penitusi')).not.toBeChecked();

  await bar.getByRole('button', { name: 'Clear selection' }).click();
  await box('Sopoaga').click();
  await box('Faleta').click({ modifiers: ['Shift'] });
  await expect(bar.getByRole('status')).toHaveText('Selected: 3');
  await expect(box('Alesana')).not.toBeChecked();
  // The same with the focus on the box.
  await box('Alesana').focus();
  await page.keyboard.press('Shift+Space');
  await expect(bar.getByRole('status')).toHaveText('Selected: 4');
  await expectAccessible(page);

  // S leads to what is done with them, and does nothing by itself.
  await page.keyboard.press('s');
  await expect(bar.getByRole('button', { name: 'Hand in…' })).toBeFocused();
  await page.keyboard.press('Enter');
  const table = page.getByRole('textbox', { name: 'Application numbers and reference numbers' });
  await expect(table).toHaveValue(new RegExp(numbers.join('\\s+')));
  await expectAccessible(page);
  await table.fill(`${numbers[0]}\tTV-1\n${numbers[1]}\tTV-2`);
  await page.getByRole('button', { name: 'Continue' }).click();
  await expect(page.getByTestId('will').getByRole('row', { name: /Ana.*TV-/ })).toHaveCount(2);
  await expect(page.getByTestId('will-not').getByText('not in the table')).toHaveCount(2);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Hand in', exact: true }).click();
  await expect(page.getByText('Done: 2 of 4')).toBeVisible();
  await page.keyboard.press('u');
  await expect(page.getByText('Done: 2 of 2')).toBeVisible();
  await expect(page.getByTestId('undo')).toHaveCount(0);
});

test('an open application is closed to its row, and the columns of the list stay named at every width @nightly', async ({
  context,
  baseURL,
}) => {
  const { cookie, numbers } = await storePeople('NRU', 'Amram');
  const page = await signedInPage(context, cookie, baseURL);
  await page.goto(listOf('NRU'));
  await ready(page);
  await page.locator('.queue-link').click();
  await expect(nameOf(page)).toBeFocused();
  await page.getByRole('link', { name: 'Close' }).click();
  await expect(page.locator(`[data-number="${numbers[0]}"] .queue-link`)).toBeFocused();

  for (const width of [320, 390, 1000, 1280]) {
    await page.setViewportSize({ width, height: 844 });
    const row = page.getByTestId('queue-row');
    // As a reader counts them: those that are displayed, in their order.
    const names = await page.evaluate(() => {
      const shown = (cells: Iterable<Element>) =>
        [...cells].filter((cell) => getComputedStyle(cell).display !== 'none');
      const heads = shown(document.querySelectorAll('.queue thead th')).map(
        (head) => head.textContent,
      );
      const cells = shown(document.querySelectorAll('.queue tbody tr:first-child > *'));
      return cells.map((cell, index) => `${heads[index]}: ${cell.className.split(' ')[0]}`);
    });
    expect(names, `at ${width}`).toEqual(
      expect.arrayContaining([
        'Due: queue-due',
        'Number: queue-number',
        'Applicant: queue-applicant',
        'Processing: queue-processing',
        'Status: queue-status',
      ]),
    );
    await expect(row.getByRole('rowheader')).toHaveText('Amram, Ana');
    await expect(page.locator('.queue-link')).toHaveAccessibleDescription('Amram, Ana');
  }

  // Forced colours take grounds away: what is current has an outline, and nothing else a line below it.
  await page.emulateMedia({ forcedColors: 'active' });
  const entries = await page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>('.desk nav :is(a, button)')]
      .filter((one) => one.checkVisibility())
      .map((one) => {
        const { outlineStyle, borderBottomColor } = getComputedStyle(one);
        return {
          isCurrent: one.hasAttribute('aria-current'),
          isOutlined: outlineStyle === 'solid',
          // Chromium's Canvas.
          hasLine: borderBottomColor !== 'rgb(255, 255, 255)',
        };
      }),
  );
  expect(entries.filter(({ isCurrent }) => isCurrent).length).toBeGreaterThan(1);
  for (const { isCurrent, isOutlined, hasLine } of entries) {
    expect({ isOutlined, hasLine }).toEqual({ isOutlined: isCurrent, hasLine: false });
  }
});

test('the end of a session is said three minutes before, can be put off, and takes nothing that was typed', async ({
  context,
  baseURL,
}) => {
  test.slow();
  const { clerk, application } = await storeTeam();
  const page = await signedInPage(context, clerk.cookie, baseURL);
  await page.clock.install();
  const live = await recordLiveRegions(page);
  await page.goto(`/admin/applications/${application.number}`);
  await ready(page);
  const note = page.getByRole('textbox', { name: 'New note, for staff only' });
  await note.fill('The scan is cut off.');
  const warning = page.getByTestId('session-ends');
  const said = (text: RegExp) => live.heard().filter((line) => text.test(line)).length;

  await leaveSessionsIdle(clerk.id, 28);
  await page.clock.fastForward('27:01');
  await expect(warning).toContainText('You will be signed out at');
  await expect.poll(() => said(/You will be signed out at/)).toBe(1);
  await expectAccessible(page);
  await expect(note).toHaveValue('The scan is cut off.');
  await note.focus();
  await warning.getByRole('button', { name: 'Stay signed in' }).click();
  await expect(warning).toHaveCount(0);
  await expect.poll(() => said(/You stay signed in/)).toBe(1);
  await expect(note).toBeFocused();
  await expect(note).toHaveValue('The scan is cut off.');

  // Over, and the page does not know yet.
  await leaveSessionsIdle(clerk.id, 31);
  await page.clock.fastForward('30:02');
  await expect(page.getByText('You are signed out', { exact: true }).first()).toBeVisible();
  await page.getByRole('button', { name: 'Add the note' }).click();
  await expect(page.getByRole('link', { name: 'Sign in' }).first()).toBeFocused();
  await expect(note).toHaveValue('The scan is cut off.');
  await expectAccessible(page);

  // Signed in again beside it, the note is sent from where it stands.
  await leaveSessionsIdle(clerk.id, 0);
  await page.getByRole('button', { name: 'Add the note' }).click();
  await expect(
    page.getByRole('paragraph').filter({ hasText: 'The scan is cut off.' }),
  ).toBeAttached();
});
