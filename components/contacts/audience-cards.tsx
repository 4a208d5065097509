"use client"

import { useQuery } from "@tanstack/react-query"
import { X } from "lucide-react"
import Link from "next/link"
import { useState } from "react"
import type { OwnProps } from "@/components/contacts/profile-card"
import {
  type ContactSuppression,
  suppressionQuery,
  topicStatesQuery,
  useAddToSegment,
  useRemoveFromSegment,
  useSetTopics,
  useUpdateContact,
} from "@/components/contacts/queries"
import { problemOf } from "@/components/data/call"
import { useOneAtATime } from "@/components/data/use-call"
import { useSavedChoice } from "@/components/data/use-saved-choice"
import { LoadError, NotLoaded } from "@/components/data/load-error"
import { allSegmentsQuery, topicsQuery } from "@/components/segments/queries"
import { Button, IconButton } from "@/components/ui/button"
import { Card, CardBody, CardHeader } from "@/components/ui/card"
import { ConfirmDialog } from "@/components/ui/confirm-dialog"
import { KeyValues } from "@/components/ui/key-values"
import { RelativeTime } from "@/components/ui/relative-time"
import { Select } from "@/components/ui/select"
import { SkeletonRows } from "@/components/ui/loading"
import { Switch } from "@/components/ui/switch"
import { toast, undoMs } from "@/components/ui/toast"

/** The segments that the contact is in, which can be joined and left manually. */
export function MembershipCard({ projectId, contact, mayWrite }: OwnProps) {
  const segments = useQuery(allSegmentsQuery(projectId)).data?.data ?? []
  const add = useAddToSegment()
  const remove = useRemoveFromSegment()
  const [said, setSaid] = useState("")
  const nameOf = (id: string) => segments.find((segment) => segment.id === id)?.name ?? id
  const others = segments.filter(({ id }) => !contact.segments.includes(id))

  async function join(segmentId: string) {
    try {
      await add.mutateAsync({ params: { projectId, contactId: contact.id }, body: { segmentId } })
      setSaid(`Added to ${nameOf(segmentId)}.`)
    } catch (error) {
      toast.error("Not added", { description: problemOf(error).detail })
    }
  }
  async function leave(segmentId: string) {
    try {
      await remove.mutateAsync({ params: { projectId, contactId: contact.id, segmentId } })
      toast.success(`Removed from ${nameOf(segmentId)}`, {
        duration: undoMs,
        action: { label: "Undo", onClick: () => void join(segmentId) },
      })
    } catch (error) {
      toast.error("Not removed", { description: problemOf(error).detail })
    }
  }

  return (
    <Card aria-label="Segments">
      <CardHeader
        title="Segments"
        actions={
          mayWrite && others.length > 0 ? (
            <Select
              aria-label="Add to segment"
              className="w-48"
              value=""
              onChange={({ target }) => void join(target.value)}
            >
              <option value="">Add to segment …</option>
              {others.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </Select>
          ) : null
        }
      />
      <CardBody>
        <span role="status" className="sr-only">
          {said}
        </span>
        {contact.segments.length === 0 ? <p className="text-muted">In no segment.</p> : null}
        <ul className="flex flex-wrap gap-2">
          {contact.segments.map((id) => (
            <li
              key={id}
              className="flex max-w-full items-center gap-1 rounded-md border border-line bg-sunken py-0.5 pl-2.5"
            >
              <Link href={`/projects/${projectId}/segments/${id}`} className="truncate hover:underline">
                {nameOf(id)}
              </Link>
              {mayWrite ? <LeaveButton segment={nameOf(id)} leave={() => leave(id)} /> : <span className="pr-2" />}
            </li>
          ))}
        </ul>
      </CardBody>
    </Card>
  )
}

function LeaveButton({ segment, leave }: { segment: string; leave: () => Promise<void> }) {
  const leaveOnce = useOneAtATime(leave)
  return <IconButton label={`Remove from ${segment}`} icon={<X />} onClick={() => void leaveOnce()} />
}

/** Every topic with the state that holds, and whether the contact said so or the topic does. */
export function TopicsCard({ projectId, contact, mayWrite }: OwnProps) {
  const asked = useQuery(topicsQuery(projectId))
  const askedStates = useQuery(topicStatesQuery(projectId, contact.id))
  const topics = asked.data?.data
  const states = askedStates.data
  const own = new Set(contact.topics.map(({ topicId }) => topicId))

  return (
    <Card aria-label="Topics">
      <CardHeader title="Topics" description="A change here becomes the contact's own preference." />
      {!topics || !states ? (
        <NotLoaded read={asked.error ? asked : askedStates} label="topics" rows={2} />
      ) : (
        <CardBody className="grid gap-4">
          {topics.length === 0 ? (
            <p className="text-muted">
              This project has no topics.{" "}
              {mayWrite ? (
                <Link href={`/projects/${projectId}/topics`} className="text-accent underline underline-offset-2">
                  Create one
                </Link>
              ) : null}
            </p>
          ) : null}
          {topics.map(({ id, name, defaultSubscription }) => (
            <TopicSwitch
              key={id}
              params={{ projectId, contactId: contact.id }}
              topic={{ id, name }}
              hint={
                own.has(id)
                  ? "Chosen by or for this contact"
                  : defaultSubscription === "opt_in"
                    ? "Subscribed by default"
                    : "Not subscribed by default"
              }
              subscribed={states.some((state) => state.topicId === id && state.subscription === "opt_in")}
              mayWrite={mayWrite}
            />
          ))}
        </CardBody>
      )}
    </Card>
  )
}

type TopicSwitchProps = {
  params: { projectId: string; contactId: string }
  topic: { id: string; name: string }
  hint: string
  subscribed: boolean
  mayWrite: boolean
}

/** Not disabled while it is saved: that would take the focus from it. */
function TopicSwitch({ params, topic: { id, name }, hint, subscribed, mayWrite }: TopicSwitchProps) {
  const change = useSetTopics()
  const [chosen, choose] = useSavedChoice<boolean>(async (wanted) => {
    const subscription = wanted ? ("opt_in" as const) : ("opt_out" as const)
    await change.mutateAsync({ params, body: { topics: [{ id, subscription }] } })
    toast.success(`${wanted ? "Subscribed to" : "Unsubscribed from"} ${name}`, {
      duration: undoMs,
      action: { label: "Undo", onClick: () => set(!wanted) },
    })
  })
  function set(wanted: boolean) {
    choose(() => wanted).catch((error: unknown) => toast.error("Not changed", { description: problemOf(error).detail }))
  }
  return (
    <Switch
      label={name}
      hint={hint}
      disabled={!mayWrite}
      checked={chosen ?? subscribed}
      onChange={({ target }) => set(target.checked)}
    />
  )
}

const reasons: Record<string, string> = {
  bounce: "Bounced: the recipient's server does not accept email for this address.",
  complaint: "Complained: an email was marked as spam.",
  manual: "Added to the list manually.",
  unsubscribe: "Unsubscribed.",
}

/** Whether mail may go there, why not, and the switch for it. */
export function SubscriptionCard({ projectId, contact, mayWrite }: OwnProps) {
  const suppressed = useQuery(suppressionQuery(projectId, contact.email))
  const update = useUpdateContact()

  async function set(unsubscribed: boolean) {
    await update.mutateAsync({ params: { projectId, contactId: contact.id }, body: { unsubscribed } })
    toast.success(unsubscribed ? "Unsubscribed" : "Subscribed again")
  }

  return (
    <Card aria-label="Subscription">
      <CardHeader
        title="Subscription"
        actions={mayWrite ? <Change unsubscribed={contact.unsubscribed} email={contact.email} set={set} /> : null}
      />
      {suppressed.data ? (
        <State projectId={projectId} unsubscribed={contact.unsubscribed} suppression={suppressed.data.data[0]} />
      ) : suppressed.isError ? (
        <LoadError
          error={suppressed.error}
          title="The suppression could not be loaded"
          onRetry={() => void suppressed.refetch()}
          retrying={suppressed.isFetching}
        />
      ) : (
        <SkeletonRows rows={1} label="Loading the suppression" />
      )}
    </Card>
  )
}

type StateProps = { projectId: string; unsubscribed: boolean; suppression?: ContactSuppression }

function State({ projectId, unsubscribed, suppression }: StateProps) {
  if (!suppression) {
    return (
      <CardBody>
        <p className="text-muted">
          {unsubscribed ? "Unsubscribed. No email is sent to this address." : "Email can be sent to this address."}
        </p>
      </CardBody>
    )
  }
  const { reason, createdAt, evidence, emailId } = suppression
  return (
    <KeyValues
      items={[
        { label: "Suppressed", value: reasons[reason] ?? reason },
        { label: "Since", value: <RelativeTime at={createdAt} /> },
        evidence ? { label: "Evidence", value: <code>{evidence}</code> } : null,
        emailId
          ? {
              label: "Email",
              value: (
                <Link
                  href={`/projects/${projectId}/emails/${emailId}`}
                  className="text-accent underline underline-offset-2"
                >
                  Open email
                </Link>
              ),
            }
          : null,
      ]}
    />
  )
}

type ChangeProps = { unsubscribed: boolean; email: string; set: (unsubscribed: boolean) => Promise<void> }

function Change({ unsubscribed, email, set }: ChangeProps) {
  return unsubscribed ? (
    <ConfirmDialog
      trigger={<Button>Subscribe again</Button>}
      title={`Subscribe ${email} again?`}
      action="Subscribe again"
      tone="primary"
      onConfirm={() => set(false)}
    >
      Do this only because the person asked for it. Their unsubscribe is removed; who did it stays in the audit log. A
      bounce or a complaint still suppresses the address.
    </ConfirmDialog>
  ) : (
    <ConfirmDialog
      trigger={<Button>Unsubscribe</Button>}
      title={`Unsubscribe ${email}?`}
      action="Unsubscribe"
      onConfirm={() => set(true)}
    >
      No email of this project is sent to them any more, password resets and receipts included, until the contact is
      subscribed again.
    </ConfirmDialog>
  )
}
