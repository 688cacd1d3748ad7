import { createHash } from 'node:crypto';
import { listFormat } from '~/base/intl.ts';
import { RESUME_JOB, resumeMailOf } from '~/features/form/draft/resume.server.ts';
import { INVITATION_JOB, invitationMailOf } from '~/features/staff/accounts/invitation.server.ts';
import { RESET_JOB, resetMailOf } from '~/features/staff/accounts/reset.server.ts';
import { footerWith, type EmailContent } from '../layout/content.server.ts';
import type { FoundByJob, JobKind } from './kind.server.ts';
import type { Words } from './words.server.ts';

/** What a link opens: a draft on another device, or the choice of a first or new staff password. */
export type LinkKind = 'resume' | 'invitation' | 'password_reset';

/**
 * An email about no application, with a link. `count`: how long the link works, in minutes for a new password,
 * otherwise in days; `answered`: the names of what a draft answers, without the answers.
 */
export function secretLinkEmail(
  { t, language, footer, reply }: Words,
  kind: LinkKind,
  { url, count, answered = [] }: { url: string; count: number; answered?: readonly string[] },
): EmailContent {
  const note = t(`${kind}.note`, { count });
  return {
    language,
    subject: t(`${kind}.subject`),
    // The note about a draft is too long for the preview in a list of emails.
    preview: kind === 'resume' ? t('resume.preview', { count }) : note,
    heading: t(`${kind}.heading`),
    greeting: t('greetingNobody'),
    paragraphs: [
      t(`${kind}.text`),
      ...(answered.length > 0
        ? [t('resume.answered', { answers: listFormat(language, {}).format(answered) })]
        : []),
    ],
    numbers: null,
    button: { label: t(`${kind}.button`), href: url },
    note,
    sections: [],
    closing: [t(`${kind}.stranger`), reply, t('team')],
    footer: footerWith(footer, t(`${kind}.privacy`)),
  };
}

/** The link is a secret, so its hash identifies the email. */
const aboutLink = (
  kind: LinkKind,
  mail: { email: string; url: string; language: string; answered?: readonly string[] },
  count: number,
): FoundByJob => ({
  about: createHash('sha256').update(mail.url).digest('hex'),
  to: mail.email,
  language: mail.language,
  write: (words) => secretLinkEmail(words, kind, { url: mail.url, count, answered: mail.answered }),
});

export const resume: JobKind = {
  jobs: {
    [RESUME_JOB]: (platform, payload) => {
      const mail = resumeMailOf(platform, payload);
      return aboutLink('resume', mail, mail.days);
    },
  },
};

export const invitation: JobKind = {
  jobs: {
    [INVITATION_JOB]: (platform, payload) => {
      const mail = invitationMailOf(platform, payload);
      return aboutLink('invitation', mail, mail.days);
    },
  },
};

export const passwordReset: JobKind = {
  jobs: {
    /** Nothing to an address without an active account; the page that asked says the same for every address. */
    [RESET_JOB]: async (platform, payload) => {
      const mail = await resetMailOf(platform, payload);
      return mail && aboutLink('password_reset', mail, mail.minutes);
    },
  },
};
