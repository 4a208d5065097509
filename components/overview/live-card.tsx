import { Radio } from "lucide-react"
import { ButtonLink } from "@/components/ui/button"
import { Card, CardBody, CardHeader } from "@/components/ui/card"

export function LiveCard({ projectId }: { projectId: string }) {
  return (
    <Card>
      <CardHeader title="Live stream" />
      <CardBody>
        <p className="mb-3 text-muted">Watch emails being sent, delivered, bounced and opened as it happens.</p>
        <ButtonLink href={`/projects/${projectId}/stream`} icon={<Radio />}>Open the live stream</ButtonLink>
      </CardBody>
    </Card>
  )
}
