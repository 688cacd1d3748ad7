import { MAX_PDF_BYTES } from '../visa-document/pdf-rules.ts';

/** Sends one file of a batch; of one that is too large only the name. Resolves to whether it arrived. For browsers. */
export function sendBatchFile(batch: string, file: File): Promise<boolean> {
  const form = formOf(batch);
  if (file.size > MAX_PDF_BYTES) form.append('tooLarge', file.name);
  else form.append('documents', file);
  return post(form);
}

/** Says how many files were more than a batch takes. */
export function sendLeftOut(batch: string, count: number): Promise<boolean> {
  const form = formOf(batch);
  form.set('leftOut', String(count));
  return post(form);
}

function formOf(batch: string): FormData {
  const form = new FormData();
  form.set('batch', batch);
  form.set('one', 'yes');
  return form;
}

async function post(body: FormData): Promise<boolean> {
  try {
    // A redirect leads to the sign-in page: then nothing was stored.
    const answer = await fetch('/admin/pdfs', { method: 'POST', body, redirect: 'manual' });
    return answer.status === 201;
  } catch {
    return false;
  }
}
