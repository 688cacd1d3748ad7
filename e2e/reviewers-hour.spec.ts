import { storeTeam } from './desk-seed.ts';
import { expect, expectAccessible, scriptsRun, signedInPage, test } from './lale.ts';

test('a reviewer finds an application by its number, gives it to a colleague, who is told and opens it', async ({
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

  // A note mentions the colleague back, with the name chosen from a list.
  const note = theirs.getByRole('textbox', { name: 'New note, for staff only' });
  await note.fill('Found it.');
  await theirs.getByRole('button', { name: 'Mention a colleague' }).click();
  // Other journeys have colleagues of that name.
  await theirs
    .getByRole('button', { name: `Insert @${clerk.name}` })
    .first()
    .click();
  await expect(note).toHaveValue(`Found it. @${clerk.name} `);
  await theirs.getByRole('button', { name: 'Add the note' }).click();
  await expect(theirs.getByRole('paragraph').filter({ hasText: 'Found it.' })).toBeAttached();
  await mine.goto('/admin/for-you');
  await expect(mine.getByRole('cell', { name: /Mentioned in a note/ }).first()).toBeVisible();
});
