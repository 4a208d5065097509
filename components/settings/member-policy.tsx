"use client"

import { useQuery } from "@tanstack/react-query"
import { useState } from "react"
import { useRole } from "@/components/access/powers"
import { memberPolicy, useUpdateMemberPolicy } from "@/components/settings/queries"
import { Button } from "@/components/ui/button"
import { Card, CardHeader } from "@/components/ui/card"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { toast } from "@/components/ui/toast"

/** Whether the organization requires a second factor of its members; owners change it. */
export function MemberPolicyCard({ projectId, organization }: { projectId: string; organization: string }) {
  const { data: policy } = useQuery(memberPolicy(projectId))
  const update = useUpdateMemberPolicy()
  const owner = useRole() === "owner"
  const [asking, setAsking] = useState(false)
  if (!policy || !(owner || policy.secondFactorRequired)) return null
  const required = policy.secondFactorRequired

  async function change() {
    await update.mutateAsync({ params: { projectId }, body: { secondFactorRequired: !required } })
    toast.success(required ? "A second factor is no longer required" : "A second factor is required")
  }

  return (
    <Card>
      <CardHeader
        title={required ? "Two-factor authentication is required" : "Two-factor authentication is optional"}
        description={
          required
            ? `Members set up a second factor before they see the projects of ${organization}.`
            : `Require it, and members without a second factor set one up before they see the projects of ${organization}.`
        }
        actions={
          owner ? <Button onClick={() => setAsking(true)}>{required ? "Make it optional" : "Require it"}</Button> : null
        }
      />
      <ConfirmDialog
        open={asking}
        onOpenChange={setAsking}
        title={required ? "Make two-factor authentication optional?" : "Require two-factor authentication?"}
        action={required ? "Make it optional" : "Require it"}
        tone="primary"
        onConfirm={change}
      >
        {required
          ? "Members may then remove their second factor."
          : "Members without a second factor no longer see any project until they have set one up. It takes effect within a second; API keys are not affected."}
      </ConfirmDialog>
    </Card>
  )
}
