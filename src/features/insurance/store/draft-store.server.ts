import { draftStore } from '~/features/form/draft/draft-store.server.ts';
import { insuranceDraft, insuranceDraftDevice, insuranceDraftLink } from './tables.server.ts';

export const insuranceDraftStore = draftStore({
  draft: insuranceDraft,
  device: insuranceDraftDevice,
  link: insuranceDraftLink,
});
