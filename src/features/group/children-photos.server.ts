import {
  PhotoFiles,
  type AdmittedPhotos,
} from '~/features/insurance/purchase/photo-upload.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Transaction } from '~/platform/postgres/database.server.ts';

/** Photos of a parent's ID, stored once for each insured child of an order. */
export type ChildrenPhotos = {
  /**
   * Inserts the rows of the photos, for the insurances of the children.
   * @throws Error where there are fewer or more of them than copies.
   */
  insert: (tx: Transaction, insuranceIds: readonly string[]) => Promise<void>;
  /** Call it once the rows are committed. */
  keep: () => void;
  /** Call it at the end in any case: removes the files that have no committed row. */
  removeRest: () => Promise<void>;
};

/**
 * Stores the files, a copy for each insured child: a copy is deleted with the child's application. Photos of which one
 * could not be read are not stored.
 * @throws AskedInsideTransaction
 * @throws FilesUnavailable
 */
export async function photosForChildren(
  platform: Pick<Platform, 'db' | 'files' | 'sealer' | 'now'>,
  photos: AdmittedPhotos | null,
  children: number,
): Promise<ChildrenPhotos> {
  const copies: PhotoFiles[] = [];
  const removeRest = async () => {
    for (const copy of copies) await copy.removeRest();
  };
  try {
    while (copies.length < children) {
      copies.push(await PhotoFiles.put(platform, photos?.allOrNone ?? []));
    }
  } catch (error) {
    await removeRest();
    throw error;
  }
  return {
    async insert(tx, insuranceIds) {
      if (insuranceIds.length !== copies.length) {
        throw new Error(`Photos for ${copies.length} children, but ${insuranceIds.length} insured`);
      }
      for (const [index, copy] of copies.entries()) {
        const applicationId = insuranceIds[index];
        if (applicationId !== undefined) await copy.insert(tx, { applicationId });
      }
    },
    keep() {
      for (const copy of copies) copy.keep();
    },
    removeRest,
  };
}
