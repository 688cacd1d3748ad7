import type { ComponentProps } from 'react';
import { ANSWERS_FORM } from '~/ui/answers-form.ts';
import { Form } from '~/ui/page/form.tsx';
import { SaveLater } from '../draft/save-later.tsx';
import type { FormAnswer, FormPage } from './use-form.tsx';

type DraftFormProps = {
  view: Pick<FormPage<string>, 'version' | 'page'>;
  answer: Pick<FormAnswer<string>, 'later' | 'beside'> | undefined;
} & Omit<ComponentProps<typeof Form>, 'id' | 'method' | 'noValidate'>;

/** A form saved as a draft: it sends the id of its page, and ends with "save for later". */
export function DraftForm({ view, answer, children, ...form }: DraftFormProps) {
  return (
    <Form {...form} id={ANSWERS_FORM} method="post" noValidate>
      <input name="version" type="hidden" value={view.version} />
      <input name="page" type="hidden" value={view.page} />
      <input defaultValue="0" name="turn" type="hidden" />
      {children}
      <SaveLater beside={answer?.beside} later={answer?.later} />
    </Form>
  );
}
