import type { Translate } from '~/base/read-text.ts';
import type { ChoiceNotice } from '~/base/default-choice.ts';
import type { Closure } from '~/base/dates/closures.ts';
import type { Language } from '~/base/languages.ts';
import { formatMoney, usd } from '~/base/money.ts';
import { quote, type PriceList } from '../rules/price-list.ts';
import { asFastForLess } from '../rules/ready-by.ts';
import type { Path } from '../rules/speeds.ts';

/** A note about a speed: who chose it, what that changed, which cheaper one would do. '' for none. */
export function speedNotes(
  t: Translate<'visa'>,
  language: Language,
  {
    notice,
    selected,
    path,
    prices,
    closures,
    now,
  }: {
    notice: ChoiceNotice;
    selected: string;
    path: Path;
    prices: PriceList;
    closures: readonly Closure[];
    now: Date;
  },
): string {
  const { by, moved, ruledOut, cheaper } = notice;
  const totalOf = (speed: string) => quote(prices, path, speed).total;
  const name = (speed: string) => (speed === '' ? '' : t(`speed.${speed}`, speed));
  const isNoFaster = ruledOut !== '' && asFastForLess(path, ruledOut, now, closures) !== null;
  const values = {
    speed: name(selected),
    wish: name(ruledOut),
    cheaper: name(cheaper),
  };
  const ruledOutKey = isNoFaster ? 'ruledOut_noFaster' : 'ruledOut';
  if (moved) {
    const [was, is] = [totalOf(moved.from), totalOf(moved.to)];
    const direction =
      by === 'visitor'
        ? 'again'
        : ruledOut === moved.from
          ? ruledOutKey
          : is.minor < was.minor
            ? 'cheaper'
            : 'dearer';
    return t(`choice.${direction}`, {
      ...values,
      before: name(moved.from),
      amount: formatMoney(is, language),
      was: formatMoney(was, language),
    });
  }
  if (by === 'form')
    return ruledOut === ''
      ? ''
      : t(isNoFaster ? 'choice.stillRuledOut_noFaster' : 'choice.stillRuledOut', values);
  if (cheaper === '') return t('choice.own', values);
  const saving = usd(totalOf(selected).minor - totalOf(cheaper).minor);
  return t('choice.ownDearer', { ...values, saving: formatMoney(saving, language) });
}
