"use client"

import { useQueryClient } from "@tanstack/react-query"
import { problemOf } from "@/components/data/problem"
import { useCall } from "@/components/data/use-call"
import { Button } from "@/components/ui/button"
import { toast } from "@/components/ui/toast"
import { outcomeOf } from "@/components/domains/live"
import { domainQuery } from "@/components/domains/queries"

/** Checks all records now and reports the result. */
export function VerifyNow({ projectId, domainId }: { projectId: string; domainId: string }) {
  const client = useQueryClient()
  const verify = useCall("POST /v1/projects/{projectId}/domains/{domainId}/verify", [
    "GET /v1/projects/{projectId}/domains",
  ])

  async function check() {
    try {
      const { queryKey } = domainQuery(projectId, domainId)
      const domain = await verify.mutateAsync({ params: { projectId, domainId } })
      // An answer to an earlier question must not land on top of this one.
      await client.cancelQueries({ queryKey })
      client.setQueryData(queryKey, domain)
      toast[domain.status === "verified" ? "success" : "message"]("Checked just now", {
        id: "check",
        description: outcomeOf(domain),
      })
    } catch (error) {
      const { title, detail } = problemOf(error)
      toast.error("The check could not run", { id: "check", description: detail ?? title })
    }
  }

  return (
    <Button variant="primary" loading={verify.isPending} onClick={() => void check()}>
      {verify.isPending ? "Checking…" : "Verify now"}
    </Button>
  )
}
