import type { InboundRoute } from "@/components/inbound/queries"
import { CopyText } from "@/components/ui/copy-text"
import { KeyValues } from "@/components/ui/key-values"

export type Mx = NonNullable<InboundRoute["mx"]>

/** The record to publish, and the servers that are published now. */
export function MxRecord({ mx }: { mx: Mx }) {
  return (
    <KeyValues
      items={[
        { label: "Host", value: <CopyText value={mx.name} name="host" inline /> },
        { label: "Type", value: <code>MX</code> },
        { label: "Priority", value: <code>{mx.priority}</code> },
        { label: "Value", value: <CopyText value={mx.value} name="value" inline wrap /> },
        mx.found.length > 0 ? { label: "Found", value: <code>{mx.found.join(", ")}</code> } : null,
      ]}
    />
  )
}
