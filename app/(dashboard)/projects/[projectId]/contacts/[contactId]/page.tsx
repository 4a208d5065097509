import type { Metadata } from "next"
import { Prefetch } from "@/components/api/prefetch"
import { ContactDetail } from "@/components/contacts/contact-detail"
import { activityQuery, contactQuery, topicStatesQuery } from "@/components/contacts/queries"

export const metadata: Metadata = { title: "Contact" }

type Props = { params: Promise<{ projectId: string; contactId: string }> }

export default async function ContactPage({ params }: Props) {
  const { projectId, contactId } = await params
  return (
    <Prefetch
      queries={[
        contactQuery(projectId, contactId),
        topicStatesQuery(projectId, contactId),
        activityQuery(projectId, contactId),
      ]}
    >
      <ContactDetail projectId={projectId} contactId={contactId} />
    </Prefetch>
  )
}
