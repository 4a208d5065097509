"use client"

import { useQuery } from "@tanstack/react-query"
import { useMay } from "@/components/access/powers"
import { ActivityCard } from "@/components/contacts/activity-card"
import { EngagementCard } from "@/components/contacts/engagement-card"
import { MembershipCard } from "@/components/contacts/membership-card"
import { PictureCard } from "@/components/contacts/picture"
import { ProfileCard } from "@/components/contacts/profile-card"
import { PropertiesCard } from "@/components/contacts/properties-card"
import { type Contact, contactQuery, suppressionQuery, useDeleteContact } from "@/components/contacts/queries"
import { SubscriptionCard } from "@/components/contacts/subscription-card"
import { TopicsCard } from "@/components/contacts/topics-card"
import { fullName, StatePill } from "@/components/contacts/words"
import { DeleteCard } from "@/components/data/delete-card"
import { PageNotLoaded } from "@/components/data/page-not-loaded"
import { reasonWords } from "@/components/suppressions/reasons"
import { Columns } from "@/components/ui/columns"
import { CopyText } from "@/components/ui/copy-text"
import { PageHeader } from "@/components/ui/page-header"
import { Pill } from "@/components/ui/pill"
import { RelativeTime } from "@/components/ui/relative-time"

/** Everything that is known of one person, and what can be done about it. */
export function ContactDetail({ projectId, contactId }: { projectId: string; contactId: string }) {
  const read = useQuery(contactQuery(projectId, contactId))
  const mayWrite = useMay("contacts:write")
  const list = { label: "Contacts", href: `/projects/${projectId}/contacts` }
  if (!read.data) return <PageNotLoaded of="Contact" lists={[list]} read={read} rows={8} />
  const contact = read.data
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

function DeleteContact({ projectId, contact }: { projectId: string; contact: Contact }) {
  const remove = useDeleteContact()
  return (
    <DeleteCard
      noun="contact"
      name={contact.email}
      description="Its properties, memberships and preferences are deleted too. Emails and suppressions are kept."
      remove={() => remove.mutateAsync({ params: { projectId, contactId: contact.id } })}
      list={`/projects/${projectId}/contacts`}
    >
      This cannot be undone. An unsubscribe remains in force: if the address is added again, it starts as unsubscribed.
    </DeleteCard>
  )
}

/** Whether email reaches the contact at all: a suppressed address gets none, whatever the contact has said. */
function ContactState({ projectId, contact }: { projectId: string; contact: Contact }) {
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
