import { KeyValues } from "@/components/ui/key-values"
import type { Header } from "@/components/emails/message-source"

/** The header fields of a message, as they are in it. */
export function HeaderList({ headers }: { headers: Header[] }) {
  return (
    <KeyValues
      className="sm:grid-cols-[180px_1fr]"
      items={headers.map(({ name, value }) => ({
        label: name,
        value: <code className="[overflow-wrap:anywhere]">{value}</code>,
      }))}
    />
  )
}
