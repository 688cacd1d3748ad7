import type { ReactNode } from 'react';
import '~/ui/css/staff.css';

/** The frame of pages before signing in: sign-in, a forgotten password, unknown addresses. */
export const Gate = ({ children }: { children: ReactNode }) => (
  <div className="mx-auto my-8 max-w-[440px] rounded-card border border-line-2 bg-paper p-6 [&_.button]:w-full [&_.control]:min-h-11 [&_.control]:text-[1rem] [&_.form-actions]:mt-7 [&_form]:grid [&_form]:gap-5">
    {children}
  </div>
);
