import { useFetcher, useNavigate, useRouteLoaderData, useSubmit } from 'react-router';
import { appearances } from '~/features/staff/appearance.ts';
import type { Role } from '~/features/staff/roles.ts';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { pagesFor } from '../navigation/pages.ts';
import { onPage } from './on-page.ts';
import { matching, type Command } from './match.ts';

/** What the queue's page loads of a view, see `desk/views`. */
type View = { readonly id: string; readonly name: string; readonly query: string };

type Doing = Command & { run: () => void };

/** What the palette can do here for what was typed: find it, act on the open application, open a page or a view. */
export function useCommands(typed: string, { role, outbox }: { role: Role; outbox: boolean }) {
  const { t } = useTranslation('palette');
  const { t: nameOf } = useTranslation('desk');
  const navigate = useNavigate();
  const submit = useSubmit();
  const { submit: send } = useFetcher();
  const queue = useRouteLoaderData<{ views?: readonly View[] }>('features/desk/queue/pages/desk');
  const all: Doing[] = [
    ...onPage().map(({ name, press }) => ({
      id: `act-${name}`,
      name: t(`act.${name}`),
      group: t(name === 'next' ? 'group.queue' : 'group.case'),
      run: press,
    })),
    ...(queue?.views ?? []).map(({ id, name, query }) => ({
      id: `view-${id}`,
      name,
      group: t('group.view'),
      run: () => void navigate(`/admin${query}`),
    })),
    ...pagesFor(role, { outbox }).map(({ to, key }) => ({
      id: `page-${to.replaceAll('/', '-')}`,
      name: nameOf(key),
      group: t('group.page'),
      run: () => void navigate(to),
    })),
    ...appearances.map((appearance) => ({
      id: `appearance-${appearance}`,
      name: t(`staff:appearance.of.${appearance}`),
      group: t('staff:appearance.title'),
      run: () =>
        void send(
          { intent: 'appearance', appearance },
          { action: '/admin/account', method: 'post' },
        ),
    })),
  ];
  const text = typed.trim();
  const search: Doing = {
    id: 'search',
    name: t('search', { text }),
    group: t('group.search'),
    // A complete number opens its page.
    run: () =>
      void submit({ search: text, tab: 'visa' }, { action: '/admin/search', method: 'post' }),
  };
  const found = matching(all, text);
  // A number, as it seems: finding it comes first.
  const isNumber = /\d/.test(text);
  return text === '' ? found : isNumber ? [search, ...found] : [...found, search];
}
