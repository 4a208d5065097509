"use client"

import { useQuery } from "@tanstack/react-query"
import { suppressionQuery, type Contact } from "@/components/contacts/queries"
import { StatePill } from "@/components/contacts/words"
import { reasonWords } from "@/components/suppressions/reasons"
import { Pill } from "@/components/ui/pill"

/** Whether email reaches the contact at all: a suppressed address gets none, whatever the contact has said. */
export function ContactState({ projectId, contact }: { projectId: string; contact: Contact }) {
  const { data } = useQuery(suppressionQuery(projectId, contact.email))
  const [suppression] = data?.data ?? []
  if (!suppression || contact.unsubscribed) return <StatePill unsubscribed={contact.unsubscribed} />
  const { word, tone, means } = reasonWords(suppression.reason)
  return (
    <Pill tone={tone} tip={`${word}. ${means} No email is sent to this address.`}>
      Suppressed
    </Pill>
  )
}
