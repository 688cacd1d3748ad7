/** The longest side of a photo that was made smaller, in pixels: an identity card is read well below that. */
const LONGEST_SIDE = 2400;
/** Tried in turn until the photo is small enough; 1 is the best. */
const QUALITIES = [0.85, 0.6];

/**
 * A photo of at most `bytes`, as JPEG, turned as the camera says. The file itself where it is small enough, cannot be
 * read here or does not get small enough: then the server says what is wrong with it.
 */
export async function shrinkPhoto(file: File, bytes: number): Promise<File> {
  if (file.size <= bytes) return file;
  try {
    const canvas = drawn(await pictureOf(file));
    for (const quality of QUALITIES) {
      const blob = await jpegOf(canvas, quality);
      if (blob && blob.size <= bytes) {
        return new File([blob], file.name.replace(/(\.\w+)?$/, '.jpg'), { type: blob.type });
      }
    }
  } catch {
    // No picture, or too large for this device.
  }
  return file;
}

/** Upright, as the camera says; browsers that do not take that wish turn pictures of elements so. */
async function pictureOf(file: File): Promise<ImageBitmap | HTMLImageElement> {
  try {
    return await createImageBitmap(file, { imageOrientation: 'from-image' });
  } catch {
    const picture = new Image();
    picture.src = await dataUrlOf(file);
    await picture.decode();
    return picture;
  }
}

const dataUrlOf = (file: File): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => {
      if (typeof reader.result === 'string') resolve(reader.result);
    });
    reader.addEventListener('error', () => reject(reader.error ?? new Error('Not read')));
    reader.readAsDataURL(file);
  });

function drawn(picture: ImageBitmap | HTMLImageElement): HTMLCanvasElement {
  const scale = Math.min(1, LONGEST_SIDE / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  const context = canvas.getContext('2d');
  if (!context) throw new Error('No canvas');
  // A picture without ground would turn black as a JPEG.
  context.fillStyle = '#fff';
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  if (picture instanceof ImageBitmap) picture.close();
  return canvas;
}

const jpegOf = (canvas: HTMLCanvasElement, quality: number): Promise<Blob | null> =>
  new Promise((resolve) => canvas.toBlob(resolve, 'image/jpeg', quality));
