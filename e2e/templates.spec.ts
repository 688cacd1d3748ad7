import { randomUUID } from 'node:crypto';
import { storeTeam, storeVisas } from './desk-seed.ts';
import { addSession, expect, expectAccessible, scriptsRun, test, type Page } from './lale.ts';

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

test('a manager changes a template, and reviewers send it in the traveller’s language @nightly', async ({
  page,
  browser,
  baseURL,
}) => {
  const { manager } = await storeTeam();
  const { numbers, cookie } = await storeVisas([{ ...person('Greta'), language: 'de' }]);

  const managers = await (await browser.newContext()).newPage();
  await signInAs(managers, manager.cookie, baseURL);
  await managers.goto('/admin/settings');
  await managers.getByRole('link', { name: /^Templates/ }).click();
  await expectAccessible(managers);
  await managers.getByRole('link', { name: 'An e-visa does not allow this purpose' }).click();
  await managers.getByLabel('Deutsch').fill('Siehe {{name}}.');
  await managers.getByLabel('Reason', { exact: true }).fill('Travellers asked for more.');
  await managers.getByRole('button', { name: 'Review the change' }).click();
  await expect(managers.getByText('“{{name}}” is not known here').first()).toBeVisible();
  await expectAccessible(managers);
  const german = 'Ein E-Visum reicht für diesen Besuch nicht. Antrag: {{number}}.';
  await managers.getByLabel('Deutsch').fill(german);
  await managers.getByRole('button', { name: 'Review the change' }).click();
  await expect(managers.getByText('Not changed in this step: English')).toBeVisible();
  await managers.getByRole('button', { name: 'Save', exact: false }).click();
  await expect(managers.getByText('S. Kaya').first()).toBeVisible();

  await signInAs(page, cookie, baseURL);
  await page.goto(`/admin/applications/${numbers[0]}`);
  await scriptsRun(page);
  await page.getByRole('link', { name: 'Reject…' }).click();
  const dialog = page.getByRole('dialog', { name: 'Reject this application?' });
  await dialog.getByLabel('Reason', { exact: true }).selectOption('purpose_not_covered');
  const preview = page.getByTestId('template-preview');
  await expect(preview).toContainText('Ein E-Visum reicht für diesen Besuch nicht. Antrag: TR');
  await expect(preview).toContainText('An e-visa does not allow this purpose of visit.');
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Preview the email' }).click();
  await page.waitForURL('**/decision/**');
  await expect(page.getByRole('definition').filter({ hasText: 'German' })).toBeVisible();
  await expect(
    page
      .frameLocator('iframe')
      .first()
      .getByText(/Ein E-Visum reicht/),
  ).toBeVisible();
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
