/** Text with `code` in back ticks. */
export function CodeText({ text, className }: { text: string; className?: string }) {
  return text.split("`").map((part, at) =>
    at % 2 ? (
      <code key={at} className={className}>
        {part}
      </code>
    ) : (
      part
    ),
  )
}
