import { toPlainDate, TURKIYE } from '~/base/dates/dates.ts';
import { readControls, type TypedAnswers } from '~/features/form/answers/controls.ts';
import { visaForm } from '../rules/typed.ts';
import { stepById } from '../rules/steps.ts';
import { fillFromZone, LINES, type Zone } from './zone.ts';
import { drawPhoto } from '~/ui/draw-photo.ts';
import { cutOutOf, MAX_SIDE_PX, openPhotoReader } from './picture/photo-reader.ts';
import type { PictureLines } from './picture/read-picture.ts';
import { readLines, type ReadLines } from './read-lines.ts';
import { readPictureLines, type PictureReading } from './read-picture-lines.ts';

/**
 * What a photo says, or why it did not fill in the form. not_found: no lines in it. unsure: they are to be corrected. no_photo:
 * a file of another kind. not_read: the reader's script failed to load. `cutOut`: the address of a picture of the lines.
 */
export type PhotoReading = { readonly cutOut: string | null } & (
  | PictureReading
  | { readonly ok: false; readonly error: 'no_photo' | 'not_read' }
);
export type PhotoProblem = Extract<PhotoReading, { ok: false }>;

/** The same for a picture in which these lines were seen. */
export const readSeen = (
  picture: HTMLCanvasElement,
  lines: PictureLines | null,
  now: Date,
): PhotoReading => ({
  ...readPictureLines(lines, toPlainDate(now, TURKIYE)),
  cutOut: lines && cutOutOf(picture, lines.corners),
});

/** Reads a photo, which stays on this device. */
export async function readPhotoFile(file: Blob, now: Date): Promise<PhotoReading> {
  // Loaded while the photo is drawn.
  const reader = openPhotoReader();
  try {
    const picture = await drawPhoto(file, MAX_SIDE_PX).catch(() => null);
    if (!picture) return { ok: false, error: 'no_photo', cutOut: null };
    return readSeen(picture, await reader.read(picture), now);
  } catch {
    return { ok: false, error: 'not_read', cutOut: null };
  } finally {
    reader.end();
  }
}

const boxIn = (form: HTMLFormElement): HTMLTextAreaElement | null => {
  const box = form.elements.namedItem(LINES);
  return box instanceof HTMLTextAreaElement ? box : null;
};

/** Reads the lines that stand in the form and fills it in; what was read completely is taken out of the box. */
export function fillFromLines(form: HTMLFormElement, now: Date): ReadLines {
  const read = readLines(boxIn(form)?.value ?? '', toPlainDate(now, TURKIYE));
  if (read.ok) fillFromReading(form, read.zone);
  return read;
}

/** Fills in the form from a photo; lines that are to be corrected go into the box. */
export function fillFromPhoto(form: HTMLFormElement, reading: PhotoReading): void {
  if (reading.ok) fillFromReading(form, reading.zone);
  const box = boxIn(form);
  if (box && !reading.ok && reading.error === 'unsure') box.value = reading.text;
}

/** Sets the controls of which the traveller has not typed otherwise, and returns them: see `fillFromZone`. */
export function fillFromReading(form: HTMLFormElement, zone: Zone): TypedAnswers {
  const typed = readControls(visaForm, new FormData(form), stepById('details').fields);
  const filled = fillFromZone(zone, typed);
  for (const [name, value] of Object.entries(filled)) {
    const control = form.elements.namedItem(name);
    if (control instanceof HTMLInputElement) control.value = value;
  }
  const box = boxIn(form);
  if (box) box.value = '';
  return filled;
}
