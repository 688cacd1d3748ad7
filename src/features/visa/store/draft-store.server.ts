import { draftStore } from '~/features/form/draft/draft-store.server.ts';
import { visaDraft, visaDraftDevice, visaDraftLink } from './tables.server.ts';

export const visaDraftStore = draftStore({
  draft: visaDraft,
  device: visaDraftDevice,
  link: visaDraftLink,
});
