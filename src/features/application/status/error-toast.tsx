import { useEffect } from 'react';
import { useTranslation } from '~/ui/texts/texts.tsx';
import { useToast } from '~/ui/toast/toast.tsx';

/** Shows a message once when it appears; a new `key` shows it again. */
export function ErrorToast({ message }: { message: string }) {
  const { t } = useTranslation('application');
  const { toast } = useToast();
  useEffect(() => {
    toast({ title: t('error.toast'), description: message, tone: 'error' });
  }, [message, t, toast]);
  return null;
}
