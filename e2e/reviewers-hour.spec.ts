import { storeTeam } from './desk-seed.ts';
import { expect, expectAccessible, scriptsRun, signedInPage, test } from './lale.ts';

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
  await theirs.getByRole('button', { name: /Open the application of/ }).click();
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
