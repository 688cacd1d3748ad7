import { randomUUID } from 'node:crypto';
import { storeVisas } from './desk-seed.ts';
import { addSession, expect, scriptsRun, test, type Page } from './lale.ts';

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
