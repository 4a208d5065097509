"use client"

import { Mail } from "lucide-react"
import { EmptyState } from "@/components/ui/empty-state"
import { useFirstCurl, type Sending } from "@/components/emails/use-first-curl"

/** The log of a project that has sent nothing: what will be listed, and a command to send the first email. */
export function NoEmails({ projectId, sending }: { projectId: string; sending: Sending }) {
  return (
    <EmptyState icon={<Mail />} title="No emails yet" curl={useFirstCurl(projectId, sending)}>
      Every email that this project sends is listed here, with its status and the responses of mail servers.
    </EmptyState>
  )
}
