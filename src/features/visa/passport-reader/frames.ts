import type { PictureLines } from './picture/read-picture.ts';

/** So many frames that show the same lines are enough: more of the same print leave the same doubts. */
const MAX_ALIKE = 3;

/**
 * Decides when frames of a camera have been read. Lines count where all their check digits hold. One frame is enough where
 * each part of it is sure, as one photo is: each line was read in three views, and a second frame would take another second.
 * Otherwise frames are waited for that show the very same lines, and each part is sure that one of them was sure of; what
 * stays in doubt is left to the traveller. Where nothing is sure, the camera goes on.
 */
export function makeFrameChoice(): (lines: PictureLines | null) => PictureLines | null {
  let alike: PictureLines[] = [];
  return (lines) => {
    if (!lines?.isHeld) return null;
    alike = [...alike.filter(({ text }) => text === lines.text), lines];
    const isSure = (part: keyof PictureLines['sure']) => alike.some(({ sure }) => sure[part]);
    const sure: PictureLines['sure'] = {
      passportNumber: isSure('passportNumber'),
      dateOfBirth: isSure('dateOfBirth'),
      passportExpiryDate: isSure('passportExpiryDate'),
      names: isSure('names'),
      nationality: isSure('nationality'),
    };
    const parts = Object.values(sure);
    const isRead = parts.every(Boolean) || (alike.length >= MAX_ALIKE && parts.some(Boolean));
    return isRead ? { ...lines, sure } : null;
  };
}

type Size = { readonly width: number; readonly height: number };
export type Box = Size & { readonly left: number; readonly top: number };

/** Of a document's photo page (TD3, ICAO Doc 9303-4) the lines take the lowest quarter. */
const LINES_FROM = 0.55;
/** Nobody holds a passport quite in the frame. */
const MARGIN = 0.08;

/**
 * The part of a video's picture in which the lines are looked for, in its pixels: the lower part of the frame with a margin.
 * `frame`: as it lies on the element that shows the video, which it covers (`object-fit: cover`), in CSS pixels.
 */
export function linesInFrame(video: Size, element: Size, frame: Box): Box {
  const scale = Math.max(element.width / video.width, element.height / video.height);
  const beyond = {
    left: (video.width * scale - element.width) / 2,
    top: (video.height * scale - element.height) / 2,
  };
  const within = (value: number, most: number) => Math.round(Math.min(Math.max(value, 0), most));
  const across = (x: number) =>
    within((frame.left + x * frame.width + beyond.left) / scale, video.width);
  const down = (y: number) =>
    within((frame.top + y * frame.height + beyond.top) / scale, video.height);
  const [left, top] = [across(-MARGIN), down(LINES_FROM)];
  return { left, top, width: across(1 + MARGIN) - left, height: down(1 + MARGIN) - top };
}
