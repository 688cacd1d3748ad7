import { expect, test } from 'vitest';
import { byGroup } from './deletions.server.ts';

test('an application is counted once, however many rows it has', () => {
  const counts = {
    application: 2,
    visa_application: 2,
    application_event: 9,
    application_email: 3,
  };
  expect(byGroup(counts)).toEqual([
    { group: 'applications', count: 2 },
    { group: 'emails', count: 3 },
  ]);
});

test('photos are counted with documents, and unknown tables as technical', () => {
  expect(byGroup({ insurance_photo: 2, application_document: 1, something: 1 })).toEqual([
    { group: 'documents', count: 3 },
    { group: 'technical', count: 1 },
  ]);
});
