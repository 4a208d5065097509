import { Card, CardBody, CardHeader } from "@/components/ui/card"
import { KeyValues } from "@/components/ui/key-values"
import { TextLink } from "@/components/ui/text-link"
import type { Domain } from "@/components/domains/types"

export function VerifiedMeans({ domain, projectId }: { domain: Domain; projectId: string }) {
  return (
    <Card aria-label="What verified means">
      <CardHeader title="What verified means" />
      <CardBody className="pb-0">
        The active DKIM key and both MAIL FROM records are in place. You can then send from any address ending in{" "}
        <b>@{domain.domain}</b>, with an <TextLink href={`/projects/${projectId}/api-keys`}>API key</TextLink> of this
        project.
      </CardBody>
      <KeyValues
        items={[
          { label: "Required", value: "The first DKIM record, and the MX and TXT records of MAIL FROM." },
          {
            label: "Optional",
            value: "The standby key, DMARC and tracking. Recommended, but not required to send.",
          },
          {
            label: "Afterwards",
            value: `${domain.nextCheckAt ? "We check again every 6 hours." : "No further check is scheduled: select Verify now to run one."} If a required record disappears, you see it here; you can still send for 72 hours.`,
          },
        ]}
      />
    </Card>
  )
}
