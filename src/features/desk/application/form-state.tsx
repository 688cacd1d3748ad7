import { useState } from 'react';
import { useNavigation } from 'react-router';

/**
 * The id of what a form writes next. The page brings another one with each load, but the form keeps its own until
 * something is stored under it: another form's submission, which loads the page anew as well, must not empty one that
 * is half filled in, nor one whose sending was interrupted.
 */
export function useNextId(brought: string, stored: readonly { id: string }[]): string {
  const [id, setId] = useState(brought);
  if (id !== brought && stored.some((one) => one.id === id)) setId(brought);
  return id;
}

/** Whether the form of this intent and id is being sent. */
export function useIsSending(intent: string, about: string): boolean {
  const { formData } = useNavigation();
  return formData?.get('intent') === intent && formData.get('about') === about;
}
