/**
 * What the file chooser offers; what a file really is, its content says. No HEIC, which cannot be read here: an iPhone
 * then sends its photos as JPEG by itself.
 */
export const PHOTO_TYPES = ['image/jpeg', 'image/png', 'image/webp'] as const;

/**
 * Why a photo was not taken. heic: such photos cannot be read here. too_many_pixels: however small the file is.
 * unreadable: a photo by its first bytes, but broken or cut short. busy: too many are
 * being looked at.
 */
export type PhotoError =
  | 'empty'
  | 'too_large'
  | 'not_photo'
  | 'heic'
  | 'too_many_pixels'
  | 'unreadable'
  | 'busy';
