import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { toGray, type Gray } from '../picture/gray.ts';
import { openNetwork, type Network } from '../picture/network.ts';

/** The network as the worker of the page fetches it. */
export function openTestNetwork(): Network {
  const bytes = readFileSync(join(import.meta.dirname, '../picture/network-weights.bin'));
  return openNetwork(Uint8Array.from(bytes).buffer);
}

/** A file as the canvas of the page shows it. */
export async function readGrayPhoto(file: Buffer | string): Promise<Gray> {
  const { data, info } = await sharp(file)
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return toGray(info.width, info.height, data);
}
