import { useEffect, useState, type KeyboardEvent } from 'react';
import { data, Form, redirect, useLocation } from 'react-router';
import { formatMoment, UTC } from '~/base/dates/dates.ts';
import { listedName } from '~/features/application/full-name.ts';
import { auditReveals, auditViews } from '~/features/staff/audit.server.ts';
import { requireDesk } from '~/features/staff/require.server.ts';
import { openZone } from '~/features/visa/store/store.server.ts';
import { PRIVATE_PAGE } from '~/platform/http/request.server.ts';
import { Button } from '~/ui/button.tsx';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import { Icon } from '~/ui/icon.tsx';
import { Notice } from '~/ui/notice.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useAnnounce } from '../frame/announcer.tsx';
import { DeskPage } from '../frame/desk-page.tsx';
import { UpLink } from '../frame/panel.tsx';
import { listQuery } from '../queue/list-filter.ts';
import type { Route } from './+types/copy-sheet.ts';
import { fillAuthorityForm, type FormAnswer } from './authority-form.server.ts';
import { isActionOffered } from './case-actions.ts';
import { HAND_IN, ReferenceInput } from './case-forms.tsx';
import { claimHolder } from './claim.server.ts';
import { findApplication } from './detail.server.ts';
import { openNumbers, visaRows } from './store.server.ts';

export const headers = () => PRIVATE_PAGE;

/**
 * The answers of an application that is to be handed in, as the authority's form takes them. Opening it claims nothing;
 * it shows numbers in full, which is recorded.
 */
export async function loader({ request, context, params }: Route.LoaderArgs) {
  const { staff, platform } = await requireDesk({ request, context }, 'reveal_numbers');
  const { db, sealer, now } = platform;
  const application = await findApplication(db, params.number);
  const visa = application && (await visaRows(db, [application.id])).get(application.id);
  if (!application || !visa) throw data(null, { status: 404 });
  const { id, number, kind, status, paidAt } = application;
  // Whoever goes back to it after handing in, or opens a kept link.
  if (!isActionOffered('start_processing', { kind, status, paid: paidAt !== null }, staff.role))
    throw redirect(
      `/admin/applications/${number}${listQuery(new URL(request.url).search)}#application`,
    );
  const zone = openZone(sealer, visa);
  const numbers = openNumbers(platform, visa);
  await auditViews(db, staff, [id], now());
  await auditReveals(db, staff, [id], now());
  return {
    number,
    name: listedName(application),
    answers: fillAuthorityForm({ application, visa, zone, numbers }),
    holder: await claimHolder(platform, staff, id),
  };
}

/** Each field is selected in its turn: one key copies it and selects the next, beside the window with the form. */
export default function CopySheet({ loaderData }: Route.ComponentProps) {
  const { number, name, answers, holder } = loaderData;
  const { t, language } = useTranslation('desk');
  const address = `/admin/applications/${number}${listQuery(useLocation().search)}`;
  return (
    <DeskPage>
      <title>{`${t('copy.title')}: ${name} – Lale`}</title>
      <div className="mx-auto grid max-w-[720px] grid-cols-1 gap-3">
        <UpLink to={`${address}#application`}>{t('copy.back')}</UpLink>
        <h1>{t('copy.title')}</h1>
        <p className="flex flex-wrap gap-x-3 font-semibold">
          <bdi>{name}</bdi> <NumberCode value={number} />
        </p>
        {holder?.name ? (
          <Notice tone="amber">
            {t('claim.other', {
              name: holder.name,
              until: formatMoment(holder.until, language, UTC, 'time'),
            })}
          </Notice>
        ) : null}
        <p className="text-ink-2">{t('copy.lead')}</p>
        <Answers answers={answers} key={number} />
        <Form
          action={address}
          className="grid justify-items-start gap-3 border-t border-line pt-3"
          id={HAND_IN}
          method="post"
        >
          <input name="intent" type="hidden" value="start_processing" />
          <input name="seen" type="hidden" value="pending" />
          <input name="after" type="hidden" value="next" />
          <ReferenceInput />
          <Button small>{t('copy.next')}</Button>
        </Form>
      </div>
    </DeskPage>
  );
}

function Answers({ answers }: { answers: readonly FormAnswer[] }) {
  const { t } = useTranslation(['desk', 'visa']);
  const announce = useAnnounce();
  const [copied, setCopied] = useState<readonly string[]>([]);
  const [isByHand, setByHand] = useState(false);
  useEffect(() => fields()[0]?.focus(), []);

  function goOn({ id }: HTMLInputElement) {
    setCopied((before) => [...before, id]);
    announce(t('copy.copied'));
    move(id, 1);
  }
  async function copy(field: HTMLInputElement) {
    try {
      const writing = navigator.clipboard.writeText(field.value);
      goOn(field);
      await writing;
    } catch {
      // Not allowed, or not over https: it is selected, and the browser's own key copies it.
      setCopied((before) => before.filter((id) => id !== field.id));
      field.focus();
      setByHand(true);
    }
  }
  function press(event: KeyboardEvent<HTMLInputElement>) {
    const { key, currentTarget, ctrlKey, metaKey, altKey } = event;
    if (ctrlKey || metaKey || altKey) return;
    if (key === 'Enter' || key === ' ') void copy(currentTarget);
    else if (key === 'ArrowDown') move(currentTarget.id, 1);
    else if (key === 'ArrowUp') move(currentTarget.id, -1);
    else return;
    event.preventDefault();
  }

  return (
    <>
      <div className="-mb-3 *:mb-3" role="status">
        {isByHand ? <Notice tone="amber">{t('copy.byHand')}</Notice> : null}
      </div>
      <ol className="grid gap-1.5">
        {answers.map(({ field, value, read, typed, most }) => (
          <li
            className="grid items-baseline gap-x-3 gap-y-1 min-[35rem]:grid-cols-[190px_minmax(0,1fr)]"
            key={field}
          >
            <label className="flex items-center gap-1.5 text-ink-2" htmlFor={`copy-${field}`}>
              {t(`visa:labels.${field}`)}
              {copied.includes(`copy-${field}`) ? (
                <span className="text-green">
                  <Icon name="check" size={14} />
                  <span className="sr-only">{t('copy.copied')}</span>
                </span>
              ) : null}
            </label>
            <div>
              <input
                aria-describedby={read || typed || most ? `about-${field}` : undefined}
                className="control m-0 w-full min-[35rem]:min-h-9"
                dir="ltr"
                id={`copy-${field}`}
                onClick={({ currentTarget }) => void copy(currentTarget)}
                onDragEnd={({ currentTarget, dataTransfer }) =>
                  dataTransfer.dropEffect === 'none' || goOn(currentTarget)
                }
                onCopy={({ currentTarget }) => requestAnimationFrame(() => goOn(currentTarget))}
                onFocus={({ currentTarget }) => currentTarget.select()}
                onKeyDown={press}
                readOnly
                value={value}
              />
              {read || typed || most ? (
                <p
                  className="flex flex-wrap gap-x-3 text-fine text-amber-notice"
                  id={`about-${field}`}
                >
                  {read ? <span>{t('copy.read', { value: read })}</span> : null}
                  {typed ? <span>{t('copy.typed', { value: typed })}</span> : null}
                  {most ? <span>{t('copy.most', { most })}</span> : null}
                </p>
              ) : null}
            </div>
          </li>
        ))}
      </ol>
    </>
  );
}

const fields = () => [...document.querySelectorAll<HTMLInputElement>('[id^="copy-"]')];

/** After the last field comes what the authority answers with. */
function move(from: string, step: 1 | -1): void {
  const all = fields();
  const next = all[all.findIndex(({ id }) => id === from) + step];
  if (next) next.focus();
  else if (step === 1)
    document.querySelector<HTMLElement>(`#${HAND_IN} input:not([type="hidden"])`)?.focus();
}
