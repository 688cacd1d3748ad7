/** In characters; no other composition is asked for (NIST SP 800-63B, 3.1.1.2). */
export const SHORTEST_PASSWORD = 12;
/** Longer is no password, but work for the hash. */
export const LONGEST_PASSWORD = 200;

/** So much has to be left of it once what anybody would try is taken out. */
const LEAST_OWN = 8;

export type PasswordProblem = 'too_short' | 'too_long' | 'guessable';

const fold = (text: string): string => text.normalize('NFKC').toLowerCase();

/** What speaks against a new password: its length, or that whoever knows the person would try it first. */
export function passwordProblem(
  password: string,
  { email, name }: { email: string; name: string },
): PasswordProblem | null {
  const typed = fold(password);
  const length = Array.from(typed).length;
  if (length < SHORTEST_PASSWORD) return 'too_short';
  if (length > LONGEST_PASSWORD) return 'too_long';
  const known = ['lale', 'password', 'parola', 'şifre', 'qwerty', '123456', 'letmein', 'welcome'];
  const own = [...fold(email).split(/[@.]/), ...fold(name).split(/\s+/)].filter(
    (word) => word.length > 2,
  );
  const left = [...known, ...own]
    .sort((a, b) => b.length - a.length)
    .reduce((rest, word) => rest.replaceAll(word, ''), typed);
  const isMonotonous = new Set(typed).size < 5;
  return isMonotonous || Array.from(left).length < LEAST_OWN ? 'guessable' : null;
}
