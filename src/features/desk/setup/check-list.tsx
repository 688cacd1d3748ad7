import { isolated } from '~/base/isolated.ts';
import type { Values } from '~/base/read-text.ts';
import { StatusTag, type StatusTone } from '~/ui/status-tag.tsx';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { countsOf, type Check, type CheckState, type Mend } from './setup-check.ts';

const tones: Record<CheckState, StatusTone> = { ok: 'green', missing: 'red', unknown: 'amber' };

/** The checks in their order: state, what was found, and what mends it. */
export function CheckList({ checks }: { checks: readonly Check[] }) {
  const { t } = useTranslation('setup');
  return (
    <>
      <p className="font-semibold">{t('counts', countsOf(checks))}</p>
      <ol className="divide-y divide-line border-y border-line">
        {checks.map(({ id, state, found, mend }) => (
          <li className="grid grid-cols-1 gap-1 py-4" key={id}>
            <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
              <h2>{t(`check.${id}`)}</h2>
              <StatusTag tone={tones[state]}>{t(`state.${state}`)}</StatusTag>
            </div>
            {found.map(({ code, values }, index) => (
              <p className="wrap-anywhere text-ink-2" dir="auto" key={`${code} ${index}`}>
                {t(`found.${code}`, isolatedValues(values))}
              </p>
            ))}
            {mend.length > 0 ? (
              <ul className="grid gap-1 text-sm/5.5">
                {mend.map((one) => (
                  <MendLine key={one.text} {...one} />
                ))}
              </ul>
            ) : null}
          </li>
        ))}
      </ol>
    </>
  );
}

/** Hosts, records and paths keep their order inside Arabic. A mistake of the configuration is a whole English line. */
const isolatedValues = (values: Values = {}): Values =>
  Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      typeof value === 'string' && name !== 'mistake' ? isolated(value) : value,
    ]),
  );

function MendLine({ kind, text }: Mend) {
  const { t } = useTranslation('setup');
  return (
    <li className="wrap-anywhere">
      {t(`mend.${kind}`)}:{' '}
      {kind === 'page' ? (
        <a dir="ltr" href={text}>
          {text}
        </a>
      ) : (
        <code className="font-mono" dir="ltr">
          {text}
        </code>
      )}
    </li>
  );
}
