import { data, Form, redirect } from 'react-router';
import { auditViews } from '~/features/staff/audit.server.ts';
import { requireDesk } from '~/features/staff/require.server.ts';
import { formText } from '~/platform/input/form-text.ts';
import { readForm } from '~/platform/input/read-body.server.ts';
import { Button } from '~/ui/button.tsx';
import { FormHead } from '~/ui/fields/error-summary.tsx';
import { NumberCode } from '~/ui/fields/number-code.tsx';
import { TextArea } from '~/ui/fields/text-field.tsx';
import { Link } from '~/ui/page/link.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { MAX_WHY_LENGTH } from '../application/note.ts';
import { comparedFacts, otherDifferences } from '../application/pdf-rules.ts';
import { DoneMessage } from '../frame/announcer.tsx';
import { DeskPage } from '../frame/desk-page.tsx';
import { formatCount } from '../frame/formats.ts';
import { EntriesTable } from '../frame/lists.tsx';
import type { Route } from './+types/second-looks.ts';
import { Small, useFigures } from './figure-section.tsx';
import { judgeDecision, openLooks, type JudgeError, type Verdict } from './second-looks.server.ts';

const verdicts: readonly Verdict[] = ['right', 'wrong'];

/** Drawn decisions of others, and those sent in spite of a difference, for a second look. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const { staff, platform } = await requireDesk({ request, context }, 'second_look');
  const { all, looks } = await openLooks(platform.db, staff, platform.now());
  const seen = [...new Set(looks.map(({ applicationId }) => applicationId))];
  await auditViews(platform.db, staff, seen, platform.now());
  const done = new URL(request.url).searchParams.get('done');
  return {
    all,
    looks: looks.map(({ applicationId: _, ...look }) => look),
    done: verdicts.find((one) => one === done) ?? null,
  };
}

const statuses: Partial<Record<JudgeError['code'], number>> = {
  unknown_look: 404,
  own_decision: 403,
  judged: 409,
};

export async function action({ request, context }: Route.ActionArgs) {
  const { staff, platform } = await requireDesk({ request, context }, 'second_look');
  const form = await readForm({ request, context });
  const id = Number(formText(form, 'look'));
  const verdict = verdicts.find((one) => one === form.get('verdict'));
  if (!Number.isSafeInteger(id) || !verdict) throw data(null, { status: 422 });
  const why = formText(form, `why-${id}`);
  const judged = await judgeDecision(platform, staff, { id, verdict, why });
  if (judged.ok) return redirect(`/admin/second-looks?done=${verdict}`);
  const { error } = judged;
  return data({ id, why, error }, { status: statuses[error.code] ?? 422 });
}

type Look = Route.ComponentProps['loaderData']['looks'][number];
type Refused = { why: string; message: string } | null;

export default function SecondLooks({ loaderData, actionData }: Route.ComponentProps) {
  const { all, looks, done } = loaderData;
  const { t } = useTranslation(['figures', 'desk']);
  const { count, moment } = useFigures();
  const message = useJudgeError(actionData?.error ?? null);
  const isAt = (look: Look) => look.id === actionData?.id;
  const refused = message !== null && actionData ? { why: actionData.why, message } : null;
  return (
    <DeskPage>
      <FormHead
        problems={
          refused ? [{ name: looks.some(isAt) ? `why-${actionData?.id}` : null, message }] : []
        }
        title={`${t('looks.title')} – Lale`}
      />
      <h1>{t('looks.title')}</h1>
      <p className="mt-1 max-w-[720px] text-ink-2">{t('looks.lead')}</p>
      {done ? <DoneMessage className="mt-3">{t(`looks.done.${done}`)}</DoneMessage> : null}
      {looks.length === 0 ? (
        <p className="py-10 text-ink-2">{t('looks.none')}</p>
      ) : (
        <EntriesTable
          caption={t('looks.title')}
          className="mt-3"
          columns={[
            {
              head: t('looks.application'),
              isRowName: true,
              className: 'max-wide:col-span-full',
              render: ({ name, number }) => (
                <>
                  <Link
                    className="inline-flex min-h-8 items-center max-wide:min-h-11"
                    to={`/admin/applications/${number}`}
                  >
                    <bdi>{name}</bdi>
                  </Link>
                  <span className="block text-fine text-ink-2">
                    <NumberCode value={number} />
                  </span>
                </>
              ),
            },
            {
              head: t('looks.decision'),
              className: 'max-wide:col-span-full',
              render: (look) => <Decision look={look} />,
            },
            {
              head: t('looks.by'),
              className: 'max-wide:col-span-full',
              render: ({ by, decidedAt }) => (
                <>
                  <bdi>{by}</bdi>
                  <Small>{moment(decidedAt)}</Small>
                </>
              ),
            },
            {
              head: t('looks.verdict'),
              className: 'max-wide:col-span-full',
              render: (look) => <VerdictForms look={look} refused={isAt(look) ? refused : null} />,
            },
          ]}
          entries={looks}
          rowOf={({ id }) => ({ key: id })}
          testId="look"
        />
      )}
      {all > looks.length ? (
        <p className="mt-3 text-ink-2">
          {t('looks.more', { all: count(all), shown: count(looks.length) })}
        </p>
      ) : null}
    </DeskPage>
  );
}

/** What was decided, for which reason, and in spite of what. */
function Decision({ look: { differences, kind, rejectionCode } }: { look: Look }) {
  const { t } = useTranslation(['figures', 'decision', 'desk', 'rejection']);
  const facts = differences.flatMap((one) => {
    const fact = comparedFacts.find((known) => known === one);
    return fact ? t(`decision:compare.fact.${fact}`) : [];
  });
  const others = otherDifferences.filter((one) => differences.includes(one));
  return (
    <>
      {t(`desk:detail.event.${kind}`)}
      {kind === 'rejected' && rejectionCode ? (
        <Small>{t(`rejection:reason.${rejectionCode}`)}</Small>
      ) : null}
      {differences.length === 0 ? null : (
        <ul className="text-fine text-amber">
          {facts.length === 0 ? null : (
            <li>{t('looks.difference.fact', { facts: facts.join(' · ') })}</li>
          )}
          {others.map((one) => (
            <li key={one}>{t(`looks.difference.${one}`)}</li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Not `intent`: the focus must not move to the next one's button, where a second press would judge unseen. */
function VerdictForms({ look: { id, name }, refused }: { look: Look; refused: Refused }) {
  const { t } = useTranslation('figures');
  return (
    <div className="flex flex-wrap items-start gap-x-4 gap-y-1">
      <Form method="post">
        <input name="look" type="hidden" value={id} />
        <Button
          aria-label={t('looks.rightOf', { name })}
          look="secondary"
          name="verdict"
          small
          value="right"
        >
          {t('looks.right')}
        </Button>
      </Form>
      <details className="desk-more open:basis-full" open={refused !== null}>
        <summary aria-label={t('looks.wrongOf', { name })}>{t('looks.wrong')}</summary>
        <Form className="grid max-w-[480px] grid-cols-1 justify-items-start gap-3" method="post">
          <input name="look" type="hidden" value={id} />
          <TextArea
            defaultValue={refused?.why}
            error={refused?.message}
            hint={t('looks.whyHint')}
            label={t('looks.why')}
            maxLength={MAX_WHY_LENGTH}
            name={`why-${id}`}
            required
          />
          <Button look="danger" name="verdict" small value="wrong">
            {t('looks.sendWrong')}
          </Button>
        </Form>
      </details>
    </div>
  );
}

function useJudgeError(error: JudgeError | null): string | null {
  const { t, language } = useTranslation(['figures', 'desk']);
  if (!error) return null;
  switch (error.code) {
    case 'judged':
      return t(`looks.error.judged.${error.verdict}`, { name: error.name });
    case 'empty_why':
    case 'long_why':
      return t(`desk:error.${error.code}`, { limit: formatCount(MAX_WHY_LENGTH, language) });
    default:
      return t(`looks.error.${error.code}`);
  }
}
