import { answersOf, payByCard, southAfrican } from './apply.ts';
import { dropPdf, evisaOf } from './desk-seed.ts';
import {
  awaitMail,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  mailTo,
  newEmail,
  scriptsRun,
  signIn,
  test,
} from './lale.ts';

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
    data: { applications: family.map(answersOf), totalAmount: '376.00' },
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
  await page.getByRole('button', { name: 'Check the emails' }).click();
  await expect(page.getByText('Nothing has been sent yet.')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Reject and send 1 email' }).click();
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

  // Two have their e-visa, one is given another traveller's: chosen, and dropped.
  await page.goto(order);
  // A file chosen before them is sent, but not looked at.
  await scriptsRun(page);
  const columnOf = (name: string) =>
    page.getByRole('region').getByRole('region', { name: new RegExp(name) });
  const pdfOf = (of: number) => {
    const [traveller, number] = [family[of], numbers[of]];
    if (!traveller || !number) throw new Error('Nobody');
    return evisaOf(traveller, number);
  };
  const attach = async (name: string, of: number) => {
    await columnOf(name)
      .getByLabel(`Attach the e-visa for ${name}`)
      .setInputFiles({ name: 'evisa.pdf', mimeType: 'application/pdf', buffer: pdfOf(of) });
    await expect(page.getByRole('button', { name: `Remove the PDF for ${name}` })).toBeVisible();
  };
  const expectOthers = async (name: string) => {
    const marks = columnOf(name).getByTestId('file-marks');
    await expect(marks).toContainText('It may belong to someone else.');
    await expect(marks).toContainText('First name: Not found in the PDF');
    await expect(marks).toContainText('Last name: In the PDF');
    await expect(marks.getByText('It matches the application')).toHaveCount(0);
  };
  await attach('Anna', 0);
  await expect(columnOf('Anna').getByText('It matches the application')).toBeVisible();
  await attach('Carl', 0);
  await expectOthers('Carl');
  await page.getByRole('button', { name: 'Remove the PDF for Carl' }).click();
  await dropPdf(page, `[id="document-${numbers[2]}"]`, pdfOf(0));
  await expectOthers('Carl');
  await attach('Dora', 3);
  await expect(columnOf('Dora').getByText('It matches the application')).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Check those with a PDF' }).click();
  await expect(page.getByText('Not done for some of the selected travellers')).toBeVisible();
  const compare = await page
    .getByRole('link', { name: 'Compare the PDF and decide' })
    .getAttribute('href');
  await expect(page.getByRole('link', { name: /See the email and the PDF/ })).toHaveCount(2);
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Approve and send 2 emails' }).click();
  await expect(page.getByText('Approved. Email queued.')).toHaveCount(2);
  await expectAccessible(page);
  await page.goto(compare ?? '');
  await expect(
    page.getByText('I have opened the PDF and it belongs to this traveller.'),
  ).toBeVisible();

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
    const approved = (await mailTo(email)).filter(({ subject }) => /approved/i.test(subject ?? ''));
    expect(approved).toHaveLength(2);
  }).toPass({ timeout: 15_000 });
});
