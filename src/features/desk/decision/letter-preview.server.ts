import { createContext } from 'react-router';
import type { Application } from '~/features/application/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Draft } from './draft-store.server.ts';

/** The letter that a draft would send, before it is sent. */
export type LetterPreview = { to: string; subject: string; html: string };

/** Renders it as it will be rendered then, its links leading nowhere. The desk knows no letters: the composition does. */
export type PreviewLetter = (
  platform: Platform,
  application: Application,
  draft: Pick<Draft, 'kind' | 'fileId' | 'rejectionCode' | 'words'>,
) => Promise<LetterPreview>;

export const letterPreviewContext = createContext<PreviewLetter>();
