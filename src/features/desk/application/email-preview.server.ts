import { createContext } from 'react-router';
import type { Application } from '~/features/application/store.server.ts';
import type { Platform } from '~/platform/platform.server.ts';
import type { Draft } from './draft-store.server.ts';

/** The email of a draft, before it is sent. */
export type EmailPreview = { to: string; language: string; subject: string; html: string };

/**
 * Renders the email as it will be sent, without links. A parameter, because the desk does not know the email templates:
 * `src/app` passes it in.
 */
export type PreviewEmail = (
  platform: Platform,
  application: Application,
  draft: Pick<Draft, 'kind' | 'fileId' | 'rejectionCode' | 'words'>,
) => Promise<EmailPreview>;

export const emailPreviewContext = createContext<PreviewEmail>();
