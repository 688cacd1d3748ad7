import { createContext } from 'react-router';
import type { Application } from '~/features/application/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Draft } from './draft-store.server.ts';

/** The e-mail that a draft would send, before it is sent. */
export type EmailPreview = { to: string; subject: string; html: string };

/** Renders it as it will be rendered then, its links leading nowhere. The desk knows no e-mails: the composition does. */
export type PreviewEmail = (
  platform: Platform,
  application: Application,
  draft: Pick<Draft, 'kind' | 'fileId' | 'rejectionCode' | 'words'>,
) => Promise<EmailPreview>;

export const emailPreviewContext = createContext<PreviewEmail>();
