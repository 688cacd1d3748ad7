import { buyByCalls, southAfrican } from './apply.ts';
import { awaitMail, expect, expectAccessible, expectNoSidewaysScroll, test } from './lale.ts';

for (const javaScriptEnabled of [true, false]) {
  test.describe(javaScriptEnabled ? 'with scripts' : 'without scripts', () => {
    test.use({ javaScriptEnabled });

    test(`a payer on another device asks for a link, sees what cancelling pays back, and cancels${javaScriptEnabled ? ' @nightly' : ''}`, async ({
      page,
    }) => {
      const traveller = southAfrican();
      const number = await buyByCalls(page, traveller, undefined, {
        hasScripts: javaScriptEnabled,
      });
      await page.context().clearCookies();

      await page.setViewportSize({ width: 390, height: 844 });
      await page.goto(`/en/status?ref=${number}`);
      await page.getByRole('link', { name: 'Cancel and get a refund' }).click();
      await expect(
        page.getByText('Only the person who placed this order can cancel it'),
      ).toBeVisible();
      await expect(page.locator('main').getByText('$')).toHaveCount(0);
      if (javaScriptEnabled) await expectAccessible(page);
      await page.getByRole('link', { name: 'Get a link by email' }).click();
      await page.getByLabel('Email address').fill(traveller.email);
      await page.locator('main form button').last().click();
      const mail = await awaitMail(traveller.email, /number/i);
      const link = /https?:\/\/\S+\/my-order\/[^\s"]+/.exec(mail.text ?? '')?.[0] ?? '';
      await page.goto(new URL(link).pathname);
      await expect(page.getByTestId('cancel-now')).toContainText('$25.00');

      await page.getByRole('link', { name: 'Cancel and get a refund' }).click();
      await expect(page.getByTestId('refund')).toContainText('$25.00');
      await expect(page.getByTestId('holds-until')).toContainText('UTC');
      await expect(page.getByText('The e-visa fee is not refunded')).toBeVisible();
      await expectNoSidewaysScroll(page);
      if (javaScriptEnabled) await expectAccessible(page);
      await page.getByRole('button', { name: 'Cancel and refund $25.00' }).click();
      await expect(page.getByRole('heading', { level: 1 })).toHaveText('Cancelled');
      await expect(page.getByText('We’ll refund $25.00')).toBeVisible();
      const confirmation = await awaitMail(traveller.email, /^Cancelled/);
      expect(confirmation.text).toContain('$25.00');

      await page.getByRole('link', { name: 'Back to the status page' }).click();
      await expect(page.getByText('This application is cancelled')).toBeVisible();
      await expect(page.getByTestId('status')).toHaveText('Cancelled');
      await expect(page.getByText('Rejected')).toHaveCount(0);
      await expect(page.getByRole('link', { name: 'Cancel and get a refund' })).toHaveCount(0);
    });
  });
}
