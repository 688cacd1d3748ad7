import { readFileSync } from 'node:fs';
import { randomUUID } from 'node:crypto';
import { textPdf } from '~/features/desk/application/testing/case-store.server.ts';
import { buyByCalls, southAfrican, callAnswers, payByCard } from './apply.ts';
import { evisaPdf, storeVisas, heldFiles, storeTeam } from './desk-seed.ts';
import {
  awaitMail,
  expect,
  expectAccessible,
  fillDate,
  signIn,
  test,
  addSession,
  expectNoSidewaysScroll,
  scriptsRun,
  readMail,
  newEmail,
  type Page,
  signedInPage,
} from './lale.ts';

test('a reviewer writes to the traveller and approves with a PDF; they look it up and download it', async ({
  page,
}) => {
  const traveller = southAfrican();
  const number = await buyByCalls(page, traveller);
  const pdf = evisaPdf(traveller, number);

  await page.setViewportSize({ width: 1280, height: 900 });
  await signIn(page);
  await expectAccessible(page);
  await page.goto(`/admin/applications/${number}`);
  await expect(page.getByText(traveller.email).first()).toBeVisible();
  await expectAccessible(page);
  await scriptsRun(page);
  await page.keyboard.press('y');
  await expect(page.getByLabel('Template')).toBeFocused();
  await page.getByLabel('Template').selectOption({ label: 'Who decides' });
  const decides = 'The Turkish authorities decide on e-visas.';
  await expect(page.locator('#messageText')).toHaveValue(new RegExp(`^${decides}`));
  await page.getByRole('button', { name: 'Preview the email' }).click();
  await expect(page.frameLocator('iframe').getByText(decides)).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Send the message' }).click();
  await expect(page.locator('#messages')).toContainText(decides);
  // Choosing it is enough: the next page shows it beside the application.
  await page.locator('input[type="file"]').setInputFiles({
    name: 'evisa.pdf',
    mimeType: 'application/pdf',
    buffer: pdf,
  });
  await expect(page.frameLocator('iframe').first().getByText('up to 30 days')).toBeVisible();
  await expect(page.locator('[data-mark="match"]')).toHaveCount(6);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Approve and send email' }).click();
  await expect(page.getByTestId('status').first()).toHaveText('Approved');
  await expect(page.getByRole('button', { name: /^(Approve|Reject)(…| and)/ })).toHaveCount(0);

  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`/status?ref=${number}`);
  await expect(page.getByTestId('status')).toHaveText('Approved');
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Download e-visa' }).click();
  await fillDate(page, 'dateOfBirth', { day: '3', month: '5', year: '1984' });
  await page.getByRole('button', { name: 'Download e-visa' }).click();
  await expect(page.locator('.error-summary')).toBeVisible();
  await expectAccessible(page);
  await fillDate(page, 'dateOfBirth', { day: '2', month: '5', year: '1984' });
  const downloading = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download e-visa' }).click();
  const download = await downloading;
  await expect(page.locator('.error-summary')).toHaveCount(0);
  expect(download.suggestedFilename()).toBe(`evisa-${number}.pdf`);
  expect(readFileSync(await download.path())).toEqual(pdf);

  const mail = await awaitMail(traveller.email, /approved/i);
  const link = /https?:\/\/\S*\/download\?token=[^\s"]+/.exec(mail.text ?? '')?.[0] ?? '';
  const again = page.waitForEvent('download');
  await page.goto(link).catch(() => undefined);
  const button = page
    .getByRole('button', { name: /Download/ })
    .or(page.getByRole('link', { name: /Download/ }));
  if (
    await button
      .first()
      .isVisible()
      .catch(() => false)
  )
    await button.first().click();
  expect(readFileSync(await (await again).path())).toEqual(pdf);
});

/** A PDF without readable text, with bytes of its own. */
function scan(own: string): Buffer {
  const bytes = textPdf([]);
  const head = bytes.indexOf('\n') + 1;
  return Buffer.concat([bytes.subarray(0, head), Buffer.from(`%${own}\n`), bytes.subarray(head)]);
}

test('PDFs dropped on the queue are matched, two confirmed together and one left; an approval is undone', async ({
  page,
  context,
  baseURL,
}) => {
  const own = Math.floor(Math.random() * 1e6)
    .toString()
    .padStart(6, '0');
  const firstPerson = { firstName: 'Anna', lastName: 'Novak', passportNumber: `P1${own}` };
  const { numbers, cookie } = await storeVisas([
    firstPerson,
    { firstName: 'Bela', lastName: 'Horvat', passportNumber: `P2${own}` },
  ]);
  const [first = '', second = ''] = numbers;
  await addSession(context, cookie, baseURL);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto('/admin');
  await scriptsRun(page);

  const files = [
    { name: 'evisa-1.pdf', bytes: evisaPdf(firstPerson, first) },
    { name: `${second}.pdf`, bytes: scan(own) },
    { name: 'unknown.pdf', bytes: textPdf([`Nobody ${own}`]) },
  ];
  const dropped = await heldFiles(page, files);
  await page.dispatchEvent('main', 'dragover', { dataTransfer: dropped });
  await expect(page.getByText('Drop the PDFs to find their applications')).toBeVisible();
  await page.dispatchEvent('main', 'drop', { dataTransfer: dropped });

  await expect(page.getByRole('heading', { name: 'Several e-visas at once' })).toBeVisible();
  const file = (fileName: string) =>
    page.getByTestId('waiting-pdf').filter({ has: page.getByText(fileName).first() });
  const exact = file('evisa-1.pdf');
  await expect(exact).toContainText('Novak, Anna');
  await expect(exact.getByRole('checkbox')).toBeChecked();
  const byName = file(`${second}.pdf`);
  await expect(byName).toContainText('It was matched by its file name only.');
  await expect(byName.getByRole('checkbox')).not.toBeChecked();
  await expect(byName.locator('iframe')).toBeVisible();
  await expect(file('unknown.pdf')).toContainText('No application found');
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 800 });
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width: 1280, height: 900 });

  // The page is kept.
  await page.reload();
  await scriptsRun(page);
  await byName.getByRole('checkbox').check();
  // A mistake at one of them takes no tick from the others.
  const number = file('unknown.pdf').getByLabel('Application number');
  await number.fill('TRV1');
  await page.getByRole('button', { name: 'Find applications' }).click();
  await expect(file('unknown.pdf')).toContainText(
    'There is no e-visa application with this number.',
  );
  await expect(byName.getByRole('checkbox')).toBeChecked();
  await expect(number).toHaveValue('TRV1');
  await expectAccessible(page);
  await number.fill('');
  await page.getByRole('button', { name: 'Approve and send emails' }).click();
  await expect(page.getByText('Done: 2 of 2')).toBeVisible();
  await expect(page.getByTestId('undo')).toHaveCount(2);
  await expect(file('unknown.pdf').getByText('No application found')).toBeVisible();
  await expectAccessible(page);
  await page
    .getByTestId('undo')
    .filter({ hasText: 'Horvat' })
    .getByRole('button', { name: /Undo/ })
    .click();
  await expect(page.getByTestId('application-number')).toBeVisible();

  for (const [number, status] of [
    [first, 'Approved'],
    [second, 'Pending'],
  ] as const) {
    await page.goto(`/admin/applications/${number}`);
    await expect(page.getByTestId('status').first()).toHaveText(status);
  }
  // The PDF of an approval that was undone waits again.
  await page.goto('/admin/pdfs');
  await expect(file(`${second}.pdf`)).toContainText('Chosen by you');
  await expectAccessible(page);
});

test('of a family of four one is rejected before it is paid; the rest is paid, and decided in one press', async ({
  page,
}) => {
  const email = newEmail('naidoo');
  const family = ['Anna', 'Bela', 'Carl', 'Dora'].map((firstName) => ({
    ...southAfrican(),
    firstName,
    email,
  }));
  const placed = await page.request.post('/api/orders', {
    data: { applications: family.map(callAnswers), totalAmount: '376.00' },
  });
  expect(placed.status(), await placed.text()).toBe(201);
  const { orderNumber, applicationNumbers } = await placed.json();
  const numbers: string[] = applicationNumbers;
  const order = `/admin/orders/${orderNumber}`;

  // One traveller leaves the unpaid order.
  await page.setViewportSize({ width: 1280, height: 900 });
  await signIn(page);
  await page.goto(order);
  await expect(page.getByRole('heading', { name: '4 travellers side by side' })).toBeVisible();
  await expectAccessible(page);
  for (const name of ['Anna', 'Carl', 'Dora']) {
    await page
      .getByRole('checkbox', { name: new RegExp(name) })
      .first()
      .uncheck();
  }
  await page.getByText('Reject the selected travellers').click();
  await page.locator('select[name="reasonCode"]').selectOption({ index: 2 });
  await expect(page.getByTestId('template-preview')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Reject and send emails' }).click();
  await expect(page.getByText('Rejected. Email queued.')).toBeVisible();
  await expect(page.getByText('$282.00, not paid')).toBeVisible();
  const mail = await awaitMail(email, /About the application for Bela Naidoo/);
  expect(mail.text).toContain('Bela Naidoo');
  expect(mail.text).toContain('$282.00');

  // The payer pays what is due now, by the link in that email.
  const link = /https?:\/\/\S*\/my-order\/\S+/.exec(mail.text ?? '')?.[0] ?? '';
  await page.goto(link);
  await page.locator('main form button').first().click();
  await expect(page.getByText('282.00').first()).toBeVisible();
  const started = await page.request.post('/api/payment/create', {
    data: { amount: '282.00', orderReference: orderNumber },
  });
  const { paymentUrl } = await started.json();
  await page.goto(paymentUrl);
  await payByCard(page);
  await page.waitForURL('**/payment-success**');

  // Dropped together anywhere on the order's page; each is found beside its own traveller, and one says another name.
  await page.goto(order);
  await scriptsRun(page);
  const pdfOf = (of: number, firstName: string) => {
    const [traveller, number] = [family[of], numbers[of]];
    if (!traveller || !number) throw new Error('Nobody');
    return evisaPdf({ ...traveller, firstName }, number);
  };
  const dataTransfer = await heldFiles(page, [
    { name: 'anna.pdf', bytes: pdfOf(0, 'Anna') },
    { name: 'carl.pdf', bytes: pdfOf(2, 'Karl') },
    { name: 'dora.pdf', bytes: pdfOf(3, 'Dora') },
  ]);
  await page.dispatchEvent('main', 'drop', { dataTransfer });
  const card = (name: string) =>
    page.getByTestId('waiting-pdf').filter({ has: page.getByText(`${name}.pdf`).first() });
  await expect(card('anna').getByRole('checkbox')).toBeChecked();
  await expect(card('dora').getByRole('checkbox')).toBeChecked();
  await expect(card('carl').getByRole('checkbox')).not.toBeChecked();
  await expect(card('carl').getByTestId('fact-firstName')).toContainText('The PDF says: KARL');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Approve and send emails' }).click();
  await expect(page.getByText('Approved. Email queued.')).toHaveCount(2);
  await expectAccessible(page);
  await expect(page.getByTestId('waiting-pdf')).toHaveCount(1);
  await page.getByRole('link', { name: 'Back to the order' }).click();
  await expect(page.getByRole('heading', { name: '4 travellers side by side' })).toBeVisible();

  // From one traveller to the next.
  await page.goto(`/admin/applications/${numbers[1]}`);
  await expect(page.getByText('Traveller 2 of 4')).toBeVisible();
  await page.getByRole('link', { name: 'Next traveller' }).click();
  await expect(page.getByText('Traveller 3 of 4')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Compare all' }).click();
  await expect(page.getByRole('heading', { name: '4 travellers side by side' })).toBeVisible();
  for (const width of [390, 1000]) {
    await page.setViewportSize({ width, height: 900 });
    await expectNoSidewaysScroll(page);
    await expectAccessible(page);
  }
  await expect(async () => {
    const approved = (await readMail(email)).filter(({ subject }) =>
      /approved/i.test(subject ?? ''),
    );
    expect(approved).toHaveLength(2);
  }).toPass({ timeout: 15_000 });
});

const WIDTH = { width: 1280, height: 900 };

async function signInAs(page: Page, cookie: string, baseURL?: string): Promise<void> {
  await addSession(page.context(), cookie, baseURL);
  await page.setViewportSize(WIDTH);
}

const person = (firstName: string) => ({
  firstName,
  lastName: 'Vorlage',
  passportNumber: `T${randomUUID().slice(0, 7).toUpperCase()}`,
});

test('the fields of a correction bring their templates, and nothing typed goes along to the next application @nightly', async ({
  page,
  baseURL,
}) => {
  const { numbers, cookie } = await storeVisas([
    { ...person('Ahmed'), language: 'tr' },
    person('Berta'),
  ]);
  const [first = '', second = ''] = numbers;
  await signInAs(page, cookie, baseURL);
  await page.goto(`/admin/applications/${first}`);
  await scriptsRun(page);
  const form = page.locator('details', { hasText: 'Ask the traveller for a correction' });
  const note = form.getByRole('textbox', { name: 'What must be corrected?' });
  await form.locator('summary').click();
  await form.getByLabel('First name').check();
  await form.getByLabel('Phone number').check();
  await expect(note).toHaveValue(/^Tüm adları .*\nYolcuya ulaşabileceğimiz .*$/);
  await expect(page.getByTestId('template-preview')).toContainText('Enter all first names exactly');
  await form.getByLabel('Phone number').uncheck();
  await expect(note).toHaveValue(/^Tüm adları [^\n]*$/);

  // By the search, so that the page is not loaded anew.
  await page.getByRole('searchbox').fill(second);
  await page.keyboard.press('Enter');
  await expect(page.getByRole('heading', { name: 'Vorlage, Berta' })).toBeVisible();
  await expect(form.locator('[name="reopen-firstName"]')).not.toBeChecked();
  await expect(form.locator('[name="note"]')).toHaveValue('');
});

test('a reviewer finds an application by its number, gives it to a colleague, who is told and opens it @nightly', async ({
  browser,
  baseURL,
}) => {
  const { clerk, manager, application } = await storeTeam();
  const { number } = application;
  const theirs = await signedInPage(await browser.newContext(), manager.cookie, baseURL);
  await theirs.goto('/admin/account');

  const mine = await signedInPage(await browser.newContext(), clerk.cookie, baseURL);
  await mine.goto('/admin/refunds');
  await scriptsRun(mine);

  // By keyboard alone, from any page.
  await mine.keyboard.press('/');
  await expect(mine.getByRole('searchbox')).toBeFocused();
  await mine.keyboard.type(number);
  await mine.keyboard.press('Enter');
  await expect(mine.getByTestId('application-number')).toBeVisible();

  await mine
    .locator('details', { has: mine.locator('[name="colleague"]') })
    .locator('summary')
    .click();
  const colleague = mine.getByRole('combobox', { name: 'Colleague' });
  await colleague.selectOption(manager.id);
  await mine
    .getByRole('textbox', { name: 'Note for the colleague' })
    .fill('The father’s name is missing.');
  await mine.getByRole('button', { name: 'Assign', exact: true }).click();
  await expect(mine.getByText('The application has been assigned.')).toBeVisible();
  await expect(mine.getByText(`was assigned to ${manager.name}`)).toBeVisible();

  // The colleague's open page counts it by itself.
  const badge = theirs.getByRole('link', { name: /For you.*1 new entry for you/ });
  await expect(badge).toBeVisible();
  await badge.click();
  await expectAccessible(theirs);
  await theirs.getByRole('button', { name: /Open the application for/ }).click();
  await expect(theirs.getByText('The father’s name is missing.')).toBeVisible();
  await expect(theirs.getByText(/This application is assigned to you until/)).toBeVisible();
  await expect(theirs.getByRole('link', { name: 'For you', exact: true })).toBeVisible();

  // A note mentions the colleague back, with the name completed, and is sent by keys. Others have that name, too.
  const note = theirs.getByRole('textbox', { name: 'New note, for staff only' });
  const names = theirs.getByRole('listbox', { name: 'Mention a colleague' });
  await note.fill('Found it.');
  await theirs.getByRole('button', { name: 'Mention a colleague' }).click();
  await expect(note).toHaveValue('Found it. @');
  await expect(names.getByRole('option', { selected: true })).toHaveCount(1);
  await expectAccessible(theirs);
  await theirs.keyboard.press('Escape');
  await expect(names).toHaveCount(0);
  await theirs.keyboard.type(clerk.name.slice(0, 4).toLowerCase());
  await expect(names.getByRole('option').first()).toHaveText(clerk.name);
  await theirs.keyboard.press('ArrowDown');
  await theirs.keyboard.press('ArrowUp');
  const active = await note.getAttribute('aria-activedescendant');
  await expect(names.getByRole('option', { selected: true })).toHaveId(active ?? '');
  await theirs.keyboard.press('Enter');
  await expect(note).toHaveValue(`Found it. @${clerk.name} `);
  await expect(names).toHaveCount(0);
  const sent: string[] = [];
  theirs.on('request', (request) => request.method() === 'POST' && sent.push(request.url()));
  await theirs.keyboard.press('ControlOrMeta+Enter');
  await theirs.keyboard.press('ControlOrMeta+Enter');
  await expect(theirs.getByRole('paragraph').filter({ hasText: 'Found it.' })).toBeAttached();
  await expect(note).toBeFocused();
  await expect(note).toHaveValue('');
  expect(sent.filter((url) => url.includes(number))).toHaveLength(1);
  await mine.goto('/admin/for-you');
  await expect(
    mine.getByRole('row').filter({ hasText: /Mentioned in a note.*Found it\. @/ }),
  ).toBeVisible();
});
