"use client"

import { useQuery } from "@tanstack/react-query"
import { RefreshCw } from "lucide-react"
import Link from "next/link"
import { useMay } from "@/components/access/powers"
import { MembershipCard, SubscriptionCard, TopicsCard } from "@/components/contacts/audience-cards"
import { ownPicture, PictureCard } from "@/components/contacts/picture"
import { type OwnProps, ProfileCard, PropertiesCard } from "@/components/contacts/profile-card"
import {
  type Activity,
  activityQuery,
  type Contact,
  contactQuery,
  scoreQuery,
  suppressionQuery,
  useDeleteContact,
  useRefreshScore,
  validationQuery,
} from "@/components/contacts/queries"
import { fullName, StatePill } from "@/components/contacts/words"
import { problemOf } from "@/components/data/call"
import { DeleteCard } from "@/components/data/delete-card"
import { LoadError, NotLoaded } from "@/components/data/load-error"
import { PageNotLoaded } from "@/components/data/page-not-loaded"
import { reasonWords } from "@/components/suppressions/reasons"
import { Card, CardHeader, Columns } from "@/components/ui/card"
import { CopyText } from "@/components/ui/copy-button"
import { IconButton } from "@/components/ui/button"
import { KeyValues } from "@/components/ui/key-values"
import { PageHeader } from "@/components/ui/page-header"
import { Pill, type Tone } from "@/components/ui/pill"
import { RelativeTime } from "@/components/ui/relative-time"
import { SkeletonRows } from "@/components/ui/loading"
import { Timeline, TimelineItem } from "@/components/ui/timeline"
import { toast } from "@/components/ui/toast"

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
        title={<ContactTitle contact={contact} />}
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

/** The name, or else the address, behind the picture if one was uploaded. */
function ContactTitle({ contact }: { contact: Contact }) {
  const picture = ownPicture(contact.profileImageUrl)
  const name = fullName(contact) ?? contact.email
  if (!picture) return name
  return (
    <span className="flex items-center gap-3">
      {/* Next's image would want to fetch and shrink what is small and ours already. */}
      {/* eslint-disable-next-line @next/next/no-img-element */}
      <img
        src={picture}
        alt=""
        width={36}
        height={36}
        className="size-9 shrink-0 rounded-full border border-line object-cover"
      />
      {name}
    </span>
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

const refreshMs = 10_000

/** The last ten things that happened, newest first. */
function ActivityCard({ projectId, contactId }: { projectId: string; contactId: string }) {
  const { data, error, refetch } = useQuery({ ...activityQuery(projectId, contactId), refetchInterval: refreshMs })
  return (
    <Card aria-label="Activity">
      <CardHeader title="Activity" />
      {data ? (
        <Timeline label="Activity">
          {data.map((activity) => (
            <TimelineItem
              key={activity.id}
              {...activityWords(activity)}
              detail={<Detail projectId={projectId} activity={activity} />}
              time={<RelativeTime at={activity.occurredAt} className="text-sm" />}
            />
          ))}
        </Timeline>
      ) : error ? (
        <LoadError error={error} onRetry={() => void refetch()} />
      ) : (
        <SkeletonRows rows={4} label="Loading the activity" />
      )}
    </Card>
  )
}

function Detail({ projectId, activity }: { projectId: string; activity: Activity }) {
  const href = activityHref(projectId, activity)
  if (!activity.referenceName) return null
  return href ? (
    <Link href={href} className="hover:underline">
      {activity.referenceName}
    </Link>
  ) : (
    activity.referenceName
  )
}

const words: Record<string, { title: string; tone: Tone }> = {
  email_sent: { title: "Email sent", tone: "wait" },
  email_delivered: { title: "Email delivered", tone: "good" },
  email_opened: { title: "Email opened", tone: "good" },
  email_clicked: { title: "Link clicked", tone: "good" },
  email_bounced: { title: "Email bounced", tone: "bad" },
  email_complained: { title: "Complained about an email", tone: "bad" },
  contact_created: { title: "Contact added", tone: "wait" },
  segment_added: { title: "Added to segment", tone: "wait" },
  segment_removed: { title: "Removed from segment", tone: "wait" },
  topic_subscribed: { title: "Subscribed to topic", tone: "good" },
  topic_unsubscribed: { title: "Left topic", tone: "warn" },
  suppression_added: { title: "Suppressed", tone: "warn" },
  suppression_removed: { title: "No longer suppressed", tone: "wait" },
}

function activityWords(activity: Activity): { title: string; tone: Tone } {
  return words[activity.type] ?? { title: activity.type, tone: "wait" }
}

/** Where an entry links to; the page says if it was deleted. */
function activityHref(projectId: string, { type, referenceId }: Activity): string | null {
  if (!referenceId) return null
  if (type.startsWith("email_")) return `/projects/${projectId}/emails/${referenceId}`
  if (type.startsWith("segment_")) return `/projects/${projectId}/segments/${referenceId}`
  return type.startsWith("topic_") ? `/projects/${projectId}/topics/${referenceId}` : null
}

const tiers: Record<string, { tone: Tone; word: string; tip: string }> = {
  new: { tone: "wait", word: "New", tip: "Fewer than three messages have been delivered." },
  cold: { tone: "wait", word: "Cold", tip: "Below 25: rarely reads, or complained." },
  cool: { tone: "warn", word: "Cool", tip: "25 to 49: reads now and then, or less than before." },
  warm: { tone: "good", word: "Warm", tip: "50 to 74: reads most emails." },
  hot: { tone: "good", word: "Hot", tip: "75 and more: reads and clicks." },
}

const validity: Record<string, { tone: Tone; word: string }> = {
  valid: { tone: "good", word: "Valid" },
  risky: { tone: "warn", word: "Risky" },
  invalid: { tone: "bad", word: "Invalid" },
  unknown: { tone: "wait", word: "Unknown" },
}

/** "no_domain: the domain does not exist" without its code, which is for programs. */
function sentenceOf(reason: string): string {
  const words = reason.replace(/^[a-z_]+: /, "")
  return `${words.replace(/^./, (first) => first.toUpperCase())}.`.replace(/\.\.$/, ".")
}

/** How much the person reads, and whether the address can take mail at all. */
export function EngagementCard({ projectId, contact, mayWrite }: OwnProps) {
  const score = useQuery(scoreQuery(projectId, contact.id))
  const validation = useQuery(validationQuery(projectId, contact.id))
  const refresh = useRefreshScore()
  const tier = score.data ? tiers[score.data.tier] : undefined
  const state = validation.data ? validity[validation.data.status] : undefined

  async function recompute() {
    try {
      await refresh.mutateAsync({ params: { projectId, contactId: contact.id } })
    } catch (error) {
      toast.error("Not computed", { description: problemOf(error).detail })
    }
  }

  return (
    <Card aria-label="Engagement">
      <CardHeader
        title="Engagement"
        actions={
          mayWrite ? (
            <IconButton label="Compute the score now" icon={<RefreshCw />} onClick={() => void recompute()} />
          ) : null
        }
      />
      {score.data === undefined ? (
        <NotLoaded read={score} label="the score" rows={2} />
      ) : (
        <KeyValues
          items={[
            {
              label: "Score",
              value: score.data ? (
                <span className="flex flex-wrap items-center gap-2 tabular-nums">
                  {score.data.score} of 100{" "}
                  {tier ? (
                    <Pill tone={tier.tone} tip={tier.tip}>
                      {tier.word}
                    </Pill>
                  ) : null}
                </span>
              ) : (
                "No email has been sent yet."
              ),
            },
            score.data ? { label: "Computed", value: <RelativeTime at={score.data.scoredAt} /> } : null,
            state
              ? {
                  label: "Address",
                  value: (
                    <>
                      <Pill tone={state.tone}>{state.word}</Pill>
                      {validation.data?.reason ? (
                        <span className="mt-1 block text-sm text-muted">{sentenceOf(validation.data.reason)}</span>
                      ) : null}
                    </>
                  ),
                }
              : null,
          ]}
        />
      )}
    </Card>
  )
}
