declare module 'virtual:react-router/server-build' {
  import type { ServerBuild } from 'react-router';
  const build: ServerBuild;
  export = build;
}

declare module 'virtual:texts' {
  import type { Language } from '~/base/languages.ts';
  import type { TextPart } from '~/i18n/text-parts.ts';
  import type { Texts } from '~/base/read-text.ts';
  type Load = () => Promise<{ default: Readonly<Record<string, Texts>> }>;
  const loaders: Readonly<Record<Language, Readonly<Record<TextPart, Load>>>>;
  export default loaders;
}
