/** In place of text that is being fetched; screen readers read `label`. */
export function Skeleton({ lines = 3, label }: { lines?: number; label: string }) {
  return (
    <div aria-busy="true" className="grid gap-3" role="status">
      <span className="sr-only">{label}</span>
      {Array.from({ length: lines }, (_, index) => (
        <span aria-hidden="true" className="h-4.5 rounded-tag bg-line last:w-[62%]" key={index} />
      ))}
    </div>
  );
}
