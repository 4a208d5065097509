import { useCall } from "@/components/data/use-call"
import { problemOf } from "@/components/data/problem"
import type { GuideFor } from "@/components/overview/guide/types"
import { StepFrame } from "@/components/overview/guide/step-frame"
import { Button, ButtonLink } from "@/components/ui/button"
import type { DialogName } from "@/components/data/add-dialog"
import { intend } from "@/components/ui/intent"
import type { RegionName } from "@/lib/projects/regions"
import { takeFocus } from "@/components/ui/take-focus"

/** A domain of this installation, whose DNS is here, or one's own. */
export function DomainStep({ projectId, testDomain, region }: GuideFor) {
  const create = useCall("POST /v1/projects/{projectId}/domains", ["GET /v1/projects/{projectId}/domains"])
  const own = (
    <ButtonLink
      href={`/projects/${projectId}/domains`}
      variant={testDomain ? "default" : "primary"}
      onClick={() => intend("add-domain" satisfies DialogName)}
    >
      Use your own domain
    </ButtonLink>
  )
  return (
    <StepFrame
      title="Which domain do you send from?"
      error={create.error ? problemOf(create.error).detail : undefined}
      actions={
        testDomain ? (
          <>
            <Button
              ref={takeFocus}
              variant="primary"
              loading={create.isPending || create.isSuccess}
              onClick={() =>
                create.mutate({ params: { projectId }, body: { domain: testDomain, region: region as RegionName } })
              }
            >
              Use {testDomain}
            </Button>
            {own}
          </>
        ) : (
          own
        )
      }
    >
      {testDomain
        ? `${testDomain} exists only on this machine: its records are published automatically, and its email stays in the sandbox mailbox. You can add your own domain at any time.`
        : "The part after the @ of your sender. Copy its records to your DNS provider; each is ticked when it is found."}
    </StepFrame>
  )
}
