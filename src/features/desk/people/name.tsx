import { useTranslation } from '~/ui/texts/texts.tsx';
import { data, Form, redirect } from 'react-router';
import { FormPage } from '../frame/desk-page.tsx';
import { formText } from '~/platform/input/form-text.ts';
import { changeOwnName } from '~/features/staff/accounts/account-facts.server.ts';
import { requireSignedIn } from '~/features/staff/require.server.ts';
import { MAX_STAFF_NAME_LENGTH } from '~/features/staff/staff.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import { platformContext } from '~/platform/http/request.server.ts';
import { Button } from '~/ui/button.tsx';
import { TextField } from '~/ui/fields/text-field.tsx';
import type { Route } from './+types/name.ts';

/** Where the first administrator says what they are called; later it stands on the page of one's account. */
export async function loader({ request, context }: Route.LoaderArgs) {
  return { staff: await requireSignedIn({ request, context }) };
}

export async function action({ request, context }: Route.ActionArgs) {
  const staff = await requireSignedIn({ request, context });
  const typed = formText(await readForm({ request, context }), 'name');
  const outcome = await changeOwnName(context.get(platformContext), staff, typed);
  if (outcome.ok) return redirect('/admin');
  return data({ error: outcome.error, typed }, { status: 422 });
}

export default function NamePage({ loaderData, actionData }: Route.ComponentProps) {
  const { t } = useTranslation('staff');
  const { staff } = loaderData;
  const error = actionData ? t(`accounts.error.${actionData.error}`) : undefined;
  return (
    <FormPage problems={error ? [{ name: 'name', message: error }] : []} title={t('name.title')}>
      <Form className="grid max-w-[560px] justify-items-start gap-4" method="post">
        <TextField
          autoComplete="name"
          defaultValue={actionData?.typed ?? (staff.isNamed ? staff.name : '')}
          error={error}
          hint={t('name.hint')}
          label={t('invite.name')}
          maxLength={MAX_STAFF_NAME_LENGTH}
          name="name"
        />
        <Button small>{t('name.submit')}</Button>
      </Form>
    </FormPage>
  );
}
