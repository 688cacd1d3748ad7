/**
 * Whether somebody is filling in a form inside the element: it has the focus, changed entries or a chosen file, or a
 * dialog is open.
 */
export function isInForms(within: HTMLElement | null): boolean {
  if (!within) return false;
  if (within.querySelector('dialog[open]')) return true;
  if (document.activeElement?.closest('form') && within.contains(document.activeElement)) {
    return true;
  }
  return [...within.querySelectorAll('input, textarea, select')].some(isChanged);
}

function isChanged(control: Element): boolean {
  if (control instanceof HTMLTextAreaElement) return control.value !== control.defaultValue;
  if (control instanceof HTMLSelectElement) {
    const first = [...control.options].findIndex(({ defaultSelected }) => defaultSelected);
    return control.selectedIndex !== Math.max(first, 0);
  }
  if (!(control instanceof HTMLInputElement)) return false;
  if (control.type === 'file') return (control.files?.length ?? 0) > 0;
  if (control.type === 'checkbox' || control.type === 'radio') {
    return control.checked !== control.defaultChecked;
  }
  // A file that was uploaded before is named by a hidden field.
  if (control.type === 'hidden') return control.name === 'fileId' && control.value !== '';
  return control.value !== control.defaultValue;
}
