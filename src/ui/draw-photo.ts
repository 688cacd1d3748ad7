/**
 * A photo on a canvas, upright as the camera says, on white; its longer side at most `maxSide` pixels.
 * @throws Error for a file that this browser cannot show as a picture.
 */
export async function drawPhoto(file: Blob, maxSide: number): Promise<HTMLCanvasElement> {
  const picture = await pictureOf(file);
  const scale = Math.min(1, maxSide / Math.max(picture.width, picture.height));
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(picture.width * scale);
  canvas.height = Math.round(picture.height * scale);
  const drawing = canvas.getContext('2d', { willReadFrequently: true });
  if (!drawing) throw new Error('No canvas');
  // A picture without ground would turn black as a JPEG.
  drawing.fillStyle = '#fff';
  drawing.fillRect(0, 0, canvas.width, canvas.height);
  drawing.imageSmoothingQuality = 'high';
  drawing.drawImage(picture, 0, 0, canvas.width, canvas.height);
  if (picture instanceof ImageBitmap) picture.close();
  return canvas;
}

/** Browsers that cannot be asked to turn a picture as the camera says do so in elements. */
async function pictureOf(file: Blob): Promise<ImageBitmap | HTMLImageElement> {
  try {
    return await createImageBitmap(file, { imageOrientation: 'from-image' });
  } catch {
    const picture = new Image();
    picture.src = await dataUrlOf(file);
    await picture.decode();
    return picture;
  }
}

const dataUrlOf = (file: Blob): Promise<string> =>
  new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.addEventListener('load', () => {
      if (typeof reader.result === 'string') resolve(reader.result);
    });
    reader.addEventListener('error', () => reject(reader.error ?? new Error('Not read')));
    reader.readAsDataURL(file);
  });
