/**
 * Types offered in the file chooser; the content decides what a file is. Without HEIC, which cannot be decoded here, an
 * iPhone converts its photos to JPEG.
 */
export const PHOTO_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const;

/**
 * Why a photo was refused. `heic`: cannot be decoded here. `too_many_pixels`: whatever the file's size. `unreadable`:
 * begins like a photo, but is broken or truncated. `busy`: too many are being decoded.
 */
export type PhotoError =
  | 'empty'
  | 'too_large'
  | 'not_photo'
  | 'heic'
  | 'too_many_pixels'
  | 'unreadable'
  | 'busy';

/** The `intent` of a button that removes a photo, before the photo's id. */
export const REMOVE_PHOTO = 'remove_photo:';
