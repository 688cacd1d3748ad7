import { resumeLinks } from '~/features/form/draft/resume.server.ts';
import { visaDrafts } from './draft.server.ts';

/** Links that open the wizard's draft on another device. */
export const visaLinks = resumeLinks(visaDrafts, {
  job: 'visa.resume_link',
  path: '/application/resume',
});

export const { send: sendResumeLink, canResume, resume, mailOf: resumeMailOf } = visaLinks;
