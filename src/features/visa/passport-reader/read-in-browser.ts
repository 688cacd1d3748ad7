import { toPlainDate, TURKIYE } from '~/base/dates/dates.ts';
import { readControls } from '~/features/form/answers/controls.ts';
import { visaForm } from '../rules/typed.ts';
import { stepById } from '../rules/steps.ts';
import { fillFromZone, LINES, type Zone } from './zone.ts';
import { readPhoto } from './picture/read-photo.ts';
import { readLines, type ReadLines } from './read-lines.ts';
import { readPictureLines, type PictureReading } from './read-picture-lines.ts';

/** `cutOut`: the address of a picture of the lines, where they were found in a photo. */
export type ReadInBrowser = { readonly cutOut?: string | null } & (
  | { readonly ok: true; readonly zone: Zone }
  | { readonly ok: false; readonly refusal: Extract<ReadLines, { ok: false }> }
  | { readonly ok: false; readonly photo: PhotoProblem }
);

/**
 * Why a photo did not fill in the form. not_found: no lines in it. unsure: they are in the box, to be corrected. no_photo: a
 * file of another kind. not_read: the reader's script failed to load.
 */
export type PhotoProblem =
  | Extract<PictureReading, { ok: false }>
  | { readonly error: 'no_photo' | 'not_read' };

const boxIn = (form: HTMLFormElement): HTMLTextAreaElement | null => {
  const box = form.elements.namedItem(LINES);
  return box instanceof HTMLTextAreaElement ? box : null;
};

/** Reads the lines that stand in the form and fills it in; what was read completely is taken out of the box. */
export function fillFromLines(form: HTMLFormElement, now: Date): ReadInBrowser {
  const read = readLines(boxIn(form)?.value ?? '', toPlainDate(now, TURKIYE));
  return read.ok ? filled(form, read.zone) : { ok: false, refusal: read };
}

/**
 * The same from a photo, which stays on this device.
 * @throws Error where the reader of photos cannot be loaded.
 */
export async function fillFromPhoto(
  form: HTMLFormElement,
  photo: Blob,
  now: Date,
): Promise<ReadInBrowser> {
  const seen = await readPhoto(photo);
  if (!seen) return { ok: false, photo: { error: 'no_photo' } };
  const { lines, cutOut } = seen;
  const read = readPictureLines(lines, toPlainDate(now, TURKIYE));
  if (read.ok) return { ...filled(form, read.zone), cutOut };
  const box = boxIn(form);
  if (box && read.error === 'unsure') box.value = read.text;
  return { ok: false, photo: read, cutOut };
}

function filled(form: HTMLFormElement, zone: Zone): ReadInBrowser {
  const typed = readControls(visaForm, new FormData(form), stepById('details').fields);
  for (const [name, value] of Object.entries(fillFromZone(zone, typed))) {
    const control = form.elements.namedItem(name);
    if (control instanceof HTMLInputElement) control.value = value;
  }
  const box = boxIn(form);
  if (box) box.value = '';
  return { ok: true, zone };
}
