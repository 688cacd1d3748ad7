import { textPdf } from '../src/features/desk/application/testing/case-store.server.ts';
import { storeVisas, heldFiles } from './desk-seed.ts';
import {
  addSession,
  expect,
  expectAccessible,
  expectNoSidewaysScroll,
  scriptsRun,
  test,
} from './lale.ts';

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
  const people = [
    { firstName: 'Anna', lastName: 'Novak', passportNumber: `P1${own}` },
    { firstName: 'Bela', lastName: 'Horvat', passportNumber: `P2${own}` },
  ];
  const { numbers, cookie } = await storeVisas(people);
  const [first = '', second = ''] = numbers;
  await addSession(context, cookie, baseURL);
  await page.setViewportSize({ width: 1280, height: 900 });
  await page.goto('/admin');
  await scriptsRun(page);

  const files = [
    {
      name: 'evisa-1.pdf',
      bytes: textPdf(['Surname NOVAK', 'Names ANNA', `Passport P1${own}`, '02/05/1984']),
    },
    { name: `${second}.pdf`, bytes: scan(own) },
    { name: 'unknown.pdf', bytes: textPdf([`Nobody ${own}`]) },
  ];
  const dropped = await heldFiles(page, files);
  await page.dispatchEvent('main', 'dragover', { dataTransfer: dropped });
  await expect(page.getByText('Drop the PDFs to find their applications')).toBeVisible();
  await page.dispatchEvent('main', 'drop', { dataTransfer: dropped });

  await expect(page.getByRole('heading', { name: 'Check and approve' })).toBeVisible();
  const file = (fileName: string) =>
    page.getByTestId('batch-file').filter({ has: page.getByText(fileName).first() });
  const exact = file('evisa-1.pdf');
  await expect(exact).toContainText('Novak, Anna');
  await expect(exact.getByRole('checkbox')).toBeChecked();
  const byName = file(`${second}.pdf`);
  await expect(byName).toContainText('It was matched by its file name only.');
  await expect(byName.getByRole('checkbox')).not.toBeChecked();
  await expect(file('unknown.pdf')).toContainText('No application found');
  await expectAccessible(page);
  await page.setViewportSize({ width: 390, height: 800 });
  await expectNoSidewaysScroll(page);
  await page.setViewportSize({ width: 1280, height: 900 });

  // The page is kept.
  await page.reload();
  await scriptsRun(page);
  await byName.getByRole('checkbox').check();
  await page.getByRole('button', { name: 'Approve and send emails' }).click();
  await expect(page.getByText('Approved: 2 of 2')).toBeVisible();
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
  await page.goto('/admin/pdfs');
  await expect(page.getByText('Not used yet: 2')).toBeVisible();
  await expectAccessible(page);
});
