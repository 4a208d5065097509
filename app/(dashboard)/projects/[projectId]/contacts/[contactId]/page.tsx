import type { Metadata } from "next"
import { Prefetch, titleOf } from "@/components/data/prefetch"
import { ContactDetail } from "@/components/contacts/contact-detail"
import { activityQuery, contactQuery, topicStatesQuery } from "@/components/contacts/queries"

type Props = { params: Promise<{ projectId: string; contactId: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { projectId, contactId } = await params
  return titleOf(contactQuery(projectId, contactId), (contact) => contact.email, "Contact")
}

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
