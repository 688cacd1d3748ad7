import { useTranslation } from '~/ui/texts/texts.tsx';
import { Form } from '~/ui/page/form.tsx';
import { Link } from '~/ui/page/link.tsx';
import { ANSWERS_FORM } from '~/ui/answers-form.ts';
import { Lookup } from '~/ui/fields/lookup.tsx';
import { Segment } from '~/ui/fields/segment.tsx';
import { formatNumber } from '~/base/format-number.ts';
import { NUMBER_LENGTH, prefixes, readNumber, SHORTEST_NUMBER } from '../number.ts';
import type { LookupError } from './lookup.server.ts';

export type LookupMessage = { text: string; hint?: string };

/** The specification's message, with a second line that tells a mistyped number from an unknown one. */
export function useLookupMessage(error: LookupError | null): LookupMessage | null {
  const { t } = useTranslation('application');
  if (!error) return null;
  switch (error.code) {
    case 'too_many':
      return { text: t('error.too_many', { count: error.retryAfterSeconds }) };
    case 'empty':
      return { text: t('error.empty') };
    case 'too_short':
      return { text: t('error.too_short', { minimum: SHORTEST_NUMBER }) };
    case 'not_found':
      return { text: t('error.not_found'), hint: t('error.unknownHint') };
    case 'mistyped':
    case 'not_a_number':
      return {
        text: t('error.not_found'),
        hint: t('error.mistypedHint', { ...prefixes, length: NUMBER_LENGTH }),
      };
  }
}

/** A plain GET form, so that the address of the result can be bookmarked and shared. */
export function StatusSearch({
  kind,
  typed,
  message,
}: {
  kind: 'visa' | 'insurance';
  typed: string;
  message: LookupMessage | null;
}) {
  const { t } = useTranslation('application');
  const read = readNumber(typed);
  return (
    // A new result remounts the form, so that it shows the number as it was read.
    <Form
      className="grid justify-items-start gap-7"
      id={ANSWERS_FORM}
      key={`${kind} ${typed}`}
      method="get"
    >
      <Segment
        defaultValue={kind}
        legend={t('search.kind')}
        name="kind"
        options={[
          { value: 'visa', label: t('search.visa') },
          { value: 'insurance', label: t('search.insurance') },
        ]}
      />
      <Lookup
        button={t('search.find')}
        defaultValue={read.ok ? formatNumber(read.number) : typed}
        error={
          message ? (
            <>
              {message.text}
              {message.hint ? <span className="block font-normal">{message.hint}</span> : null}
            </>
          ) : undefined
        }
        label={t('search.number')}
        maxLength={60}
        name="ref"
      />
      <Link className="min-h-11 py-2.5" to="/status/lost-number">
        {t('lost.link')}
      </Link>
    </Form>
  );
}
