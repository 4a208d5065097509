"use client"

import { Mail } from "lucide-react"
import { EmptyState } from "@/components/ui/empty-state"
import { useFirstCurl, type Sending } from "@/components/emails/use-first-curl"

/** The log of a project that has sent nothing: what it will hold, and a command to begin with. */
export function NoEmails({ projectId, sending }: { projectId: string; sending: Sending }) {
  return (
    <EmptyState icon={<Mail />} title="No emails yet" curl={useFirstCurl(projectId, sending)}>
      Every email that this project sends is listed here, with its state and what the servers said about it.
    </EmptyState>
  )
}
