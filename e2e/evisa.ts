import { textPdf } from '../src/features/desk/application/testing/case-store.server.ts';
import type { Traveller } from './apply.ts';
import type { Page } from './lale.ts';

/** An e-visa as staff might upload it: the traveller's, born on 2 May 1984, with the application's number. */
export const evisaOf = (
  traveller: Pick<Traveller, 'firstName' | 'lastName' | 'passportNumber'>,
  number: string,
): Buffer =>
  textPdf([
    'e-Visa',
    `Surname: ${traveller.lastName.toUpperCase()}`,
    `Given names: ${traveller.firstName.toUpperCase()}`,
    `Passport number: ${traveller.passportNumber}`,
    'Date of birth: 02/05/1984',
    `Reference: ${number}`,
  ]);

/** PDFs as they are dropped on a page, by their names. */
export const heldFiles = (page: Page, files: readonly { name: string; bytes: Buffer }[]) =>
  page.evaluateHandle(
    (sent) => {
      const transfer = new DataTransfer();
      for (const { fileName, base64 } of sent) {
        const bytes = Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
        transfer.items.add(new File([bytes], fileName, { type: 'application/pdf' }));
      }
      return transfer;
    },
    files.map(({ name, bytes }) => ({ fileName: name, base64: bytes.toString('base64') })),
  );

/** Drops a PDF on an element. */
export async function dropPdf(page: Page, selector: string, bytes: Buffer): Promise<void> {
  const dataTransfer = await heldFiles(page, [{ name: 'evisa.pdf', bytes }]);
  await page.dispatchEvent(selector, 'dragover', { dataTransfer });
  await page.dispatchEvent(selector, 'drop', { dataTransfer });
}
