import { parse } from 'devalue';
import {
  Component,
  useEffect,
  useMemo,
  useRef,
  useState,
  type ComponentClass,
  type ComponentType,
  type FunctionComponent,
  type ReactNode,
} from 'react';
import { ToastProvider } from '~/ui/page/toast.tsx';
import { leaveToBrowser } from '~/ui/page/form.tsx';
import {
  pageHref,
  PageProvider,
  type CurrentPage,
  type SendOptions,
} from '~/ui/page/page-context.tsx';
import { isOlder } from '~/ui/page/older-page.ts';
import { PAGE_DATA_TYPE, type PageAnswer, type PageData } from '~/ui/page/page-data.ts';

/** What a page's component is given. */
export type PageProps = {
  loaderData: unknown;
  actionData: unknown;
  params: Readonly<Record<string, string | undefined>>;
};

/** Components of a page: its frames, outermost first, then the page itself. */
export type PageComponents = {
  frames: readonly FunctionComponent<{ children: ReactNode }>[];
  page: FunctionComponent<PageProps>;
};

/**
 * A component that a module exports, whose props are not known here.
 * @throws where it is a class
 */
export function asFunction<Props extends object>(
  component: ComponentType,
): FunctionComponent<Props> {
  if (isClass(component)) throw new TypeError('Pages are functions');
  return component;
}

const isClass = (component: ComponentType): component is ComponentClass =>
  component.prototype instanceof Component;

type State = { loaderData: unknown; actionData: unknown; answers: number };

/**
 * A page with the data that it was opened with. In the browser it sends its forms and shows the answers without a new
 * document.
 */
export function PageRoot({
  data,
  components: { frames, page: Content },
}: {
  data: PageData;
  components: PageComponents;
}) {
  const { basename, address, params, tellsOffline } = data;
  const [state, setState] = useState<State>({
    loaderData: data.loaderData,
    actionData: data.actionData,
    answers: 0,
  });
  const [sending, setSending] = useState<FormData | null>(null);
  const latest = useRef(0);

  // A page that is restored from the browser's cache has no request under way.
  useEffect(() => {
    const rest = (event: PageTransitionEvent) => {
      if (event.persisted) setSending(null);
    };
    addEventListener('pageshow', rest);
    return () => removeEventListener('pageshow', rest);
  }, []);

  const calls = useMemo(() => {
    const here = pageHref(basename, address.pathname) + address.search;

    function show(answer: Partial<State>) {
      setSending(null);
      setState((before) => ({ ...before, ...answer, answers: before.answers + 1 }));
    }

    async function send(body: FormData, options: SendOptions = {}) {
      const { action, form, submitter = null } = options;
      const turn = ++latest.current;
      setSending(body);
      if (form && (await isOlder())) {
        setSending(null);
        return leaveToBrowser(form, submitter);
      }
      const answered = await exchange(action === undefined ? here : pageHref(basename, action), {
        method: 'POST',
        body: form?.enctype === 'multipart/form-data' ? body : asFields(body),
      });
      if (turn !== latest.current) return;
      const isLost =
        answered === 'busy' || (answered === 'unreachable' && !(form && (await isFetchBlocked())));
      if (isLost && tellsOffline) return show({ actionData: { offline: true } });
      if (typeof answered === 'object' && 'to' in answered) return goTo(answered.to);
      // The answer of another page is shown by that page.
      if (typeof answered === 'object' && action === undefined) return show(answered);
      setSending(null);
      if (form) leaveToBrowser(form, submitter);
      else location.reload();
    }

    async function post<Answer>(body: FormData): Promise<Answer | null> {
      const answered = await exchange<Answer>(here, { method: 'POST', body });
      return typeof answered === 'object' && 'actionData' in answered
        ? (answered.actionData ?? null)
        : null;
    }

    async function reload() {
      const turn = latest.current;
      const answered = await exchange(here, {});
      if (turn !== latest.current || typeof answered === 'string') return;
      if ('to' in answered) return goTo(answered.to);
      setState((before) => ({ ...before, loaderData: answered.loaderData }));
    }

    return { send, post, reload };
  }, [basename, address, tellsOffline]);

  const page: CurrentPage = { basename, address, sending, answers: state.answers, ...calls };
  const props: PageProps = {
    actionData: state.actionData,
    loaderData: state.loaderData,
    params,
  };
  return (
    <PageProvider value={page}>
      <ToastProvider>
        {frames.reduceRight<ReactNode>(
          (children, Frame) => (
            <Frame>{children}</Frame>
          ),
          <Content {...props} />,
        )}
      </ToastProvider>
    </PageProvider>
  );
}

/**
 * What the server answers to a page's scripts. `unreachable`: there is no connection. `busy`: the service is busy or in
 * maintenance (503); a form that the browser then sent by itself would be lost with its page. `unusable`: what a page
 * cannot show without a new document.
 */
async function exchange<Answer = unknown>(
  address: string,
  request: RequestInit,
): Promise<PageAnswer<Answer> | 'unreachable' | 'busy' | 'unusable'> {
  try {
    const response = await fetch(address, { ...request, headers: { Accept: PAGE_DATA_TYPE } });
    if (response.status === 503) return 'busy';
    const type = response.headers.get('content-type') ?? '';
    if (!type.startsWith(PAGE_DATA_TYPE)) return 'unusable';
    const answer: PageAnswer<Answer> = parse(await response.text());
    return answer;
  } catch (error) {
    // What `fetch` throws when there is no connection.
    if (error instanceof TypeError) return 'unreachable';
    return 'unusable';
  }
}

/** Milliseconds that a small picture of ours may take. */
const PICTURE_MS = 5000;

/**
 * Whether a request did not get through because something in the browser blocks those of scripts: a picture still
 * arrives. Then the browser sends forms itself; without a connection what was typed stays on the page.
 */
const isFetchBlocked = (): Promise<boolean> =>
  new Promise((resolve) => {
    const picture = new Image();
    picture.addEventListener('load', () => resolve(true));
    picture.addEventListener('error', () => resolve(false));
    setTimeout(() => resolve(false), PICTURE_MS);
    picture.src = `/favicon.svg?${Date.now()}`;
  });

/** The encoding in which browsers send a form without files. */
function asFields(body: FormData): URLSearchParams {
  const fields = new URLSearchParams();
  for (const [name, value] of body) if (typeof value === 'string') fields.append(name, value);
  return fields;
}

/** Opens an address in this tab. The page's own address, also with another fragment, is loaded again. */
function goTo(to: string): void {
  const target = new URL(to, location.href);
  const isHere = target.pathname === location.pathname && target.search === location.search;
  if (!isHere) return location.assign(target);
  if (target.hash !== location.hash) location.hash = target.hash;
  location.reload();
}
