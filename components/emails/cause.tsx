"use client"

import { ButtonLink } from "@/components/ui/button"
import { Callout } from "@/components/ui/callout"
import { useMoment } from "@/components/emails/clock-time"
import { explain } from "@/components/emails/explain"
import type { Delivery, Email } from "@/components/emails/types"

type CauseProps = { email: Email; deliveries: Delivery[]; projectId: string }

/** Why it did not arrive, in one sentence, with the evidence below; nothing when all is well. */
export function Cause({ email, deliveries, projectId }: CauseProps) {
  const moment = useMoment()
  const explanation = explain(email, deliveries, moment)
  if (!explanation) return null
  const fix =
    explanation.fix === "domains" ? (
      <ButtonLink href={`/projects/${projectId}/domains`} variant="primary">
        Check domains
      </ButtonLink>
    ) : null
  return (
    <Callout tone={explanation.tone} title={explanation.title} action={fix}>
      {explanation.detail}
    </Callout>
  )
}
