"use client"

import { useQuery } from "@tanstack/react-query"
import { useMay } from "@/components/access/powers"
import { PageLoadError } from "@/components/data/page-load-error"
import { Card } from "@/components/ui/card"
import { Columns } from "@/components/ui/columns"
import { CopyText } from "@/components/ui/copy-text"
import { PageHeader } from "@/components/ui/page-header"
import { RelativeTime } from "@/components/ui/relative-time"
import { SkeletonRows } from "@/components/ui/skeleton"
import { ActivityCard } from "@/components/contacts/activity-card"
import { ContactState } from "@/components/contacts/contact-state"
import { DeleteContact } from "@/components/contacts/delete-contact"
import { EngagementCard } from "@/components/contacts/engagement-card"
import { MembershipCard } from "@/components/contacts/membership-card"
import { fullName } from "@/components/contacts/names"
import { PictureCard } from "@/components/contacts/picture"
import { ProfileCard } from "@/components/contacts/profile-card"
import { PropertiesCard } from "@/components/contacts/properties-card"
import { contactQuery } from "@/components/contacts/queries"
import { SubscriptionCard } from "@/components/contacts/subscription-card"
import { TopicsCard } from "@/components/contacts/topics-card"

/** Everything that is known of one person, and what can be done about it. */
export function ContactDetail({ projectId, contactId }: { projectId: string; contactId: string }) {
  const { data: contact, error, refetch, isFetching } = useQuery(contactQuery(projectId, contactId))
  const mayWrite = useMay("contacts:write")
  const list = { label: "Contacts", href: `/projects/${projectId}/contacts` }
  if (!contact && error)
    return (
      <PageLoadError of="Contact" lists={[list]} error={error} onRetry={() => void refetch()} retrying={isFetching} />
    )
  if (!contact)
    return (
      <Card>
        <SkeletonRows rows={8} label="Loading the contact" />
      </Card>
    )
  const own = { projectId, contact, mayWrite }
  return (
    <>
      <PageHeader
        crumbs={[list, { label: contact.email }]}
        title={fullName(contact) ?? contact.email}
        pill={<ContactState projectId={projectId} contact={contact} />}
        meta={[
          contact.email,
          <>
            Added <RelativeTime at={contact.createdAt} />
          </>,
          <CopyText key="id" value={contact.id} name="contact id" inline />,
        ]}
      />
      <Columns layout="end">
        <div className="min-w-0">
          <ProfileCard {...own} />
          <PropertiesCard {...own} />
          <MembershipCard {...own} />
          <TopicsCard {...own} />
          <ActivityCard projectId={projectId} contactId={contactId} />
        </div>
        <div className="min-w-0">
          <PictureCard {...own} />
          <SubscriptionCard {...own} />
          <EngagementCard {...own} />
        </div>
      </Columns>
      {mayWrite ? <DeleteContact projectId={projectId} contact={contact} /> : null}
    </>
  )
}
