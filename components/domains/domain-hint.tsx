import { Hint } from "@/components/ui/hint"
import type { Domain } from "@/components/domains/types"
import { useHostStyle } from "@/components/domains/use-host-style"

/** How the form of the DNS provider wants the records, while there are records to paste. */
export function DomainHint({ domain: { provider, status } }: { domain: Domain }) {
  const [style] = useHostStyle()
  if (!provider || status === "verified") return null
  return (
    <Hint>
      Your domain is managed at <b>{provider.name}</b>.{" "}
      {style === "relative"
        ? "The hosts below are written as its form expects them."
        : "Its form expects hosts relative to the zone. Switch to relative hosts above."}{" "}
      <Emphasised text={provider.note ?? ""} />
    </Hint>
  )
}

function Emphasised({ text }: { text: string }) {
  return text.split('"').map((part, index) => (index % 2 ? <b key={index}>{part}</b> : part))
}
