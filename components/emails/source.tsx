import { formatNumber } from "@/lib/platform/format"
import { CodeBlock } from "@/components/ui/code-block"

/** A browser draws this many characters at once without a pause. */
const shownMax = 200_000

/** Source text to read and copy: the copy is always whole, very long text is shown in part. */
export function EmailSource({ text, name }: { text: string; name: string }) {
  return (
    <>
      <CodeBlock bare code={text} name={name}>
        {text.slice(0, shownMax)}
      </CodeBlock>
      {text.length > shownMax ? (
        <p className="border-t border-line px-4 py-2.5 text-muted">
          The first {formatNumber(shownMax)} of {formatNumber(text.length)} characters are shown. Copy includes all of
          them.
        </p>
      ) : null}
    </>
  )
}
