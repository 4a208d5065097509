"use client"

import { useQuery } from "@tanstack/react-query"
import Link from "next/link"
import { problemOf } from "@/components/data/call"
import { topicsQuery } from "@/components/segments/queries"
import { Card, CardBody, CardHeader } from "@/components/ui/card"
import { SkeletonRows } from "@/components/ui/skeleton"
import { Switch } from "@/components/ui/switch"
import { toast, undoMs } from "@/components/ui/toast"
import type { OwnProps } from "@/components/contacts/profile-card"
import { topicStatesQuery, useSetTopics } from "@/components/contacts/queries"

/** Every topic with the state that holds, and whether the contact said so or the topic does. */
export function TopicsCard({ projectId, contact, mayWrite }: OwnProps) {
  const topics = useQuery(topicsQuery(projectId)).data?.data
  const states = useQuery(topicStatesQuery(projectId, contact.id)).data
  const change = useSetTopics()
  const own = new Set(contact.topics.map(({ topicId }) => topicId))

  async function set(id: string, name: string, wanted: boolean) {
    try {
      const subscription = wanted ? ("opt_in" as const) : ("opt_out" as const)
      await change.mutateAsync({
        params: { projectId, contactId: contact.id },
        body: { topics: [{ id, subscription }] },
      })
      toast.success(`${wanted ? "Subscribed to" : "Unsubscribed from"} ${name}`, {
        duration: undoMs,
        action: { label: "Undo", onClick: () => void set(id, name, !wanted) },
      })
    } catch (error) {
      toast.error("Not changed", { description: problemOf(error).detail })
    }
  }

  return (
    <Card aria-label="Topics">
      <CardHeader title="Topics" description="A change here becomes the contact's own preference." />
      {!topics || !states ? (
        <SkeletonRows rows={2} label="Loading topics" />
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
            <Switch
              key={id}
              label={name}
              hint={
                own.has(id)
                  ? "Chosen by or for this contact"
                  : defaultSubscription === "opt_in"
                    ? "Subscribed by default"
                    : "Not subscribed by default"
              }
              disabled={!mayWrite || change.isPending}
              checked={states.some((state) => state.topicId === id && state.subscription === "opt_in")}
              onChange={({ target }) => void set(id, name, target.checked)}
            />
          ))}
        </CardBody>
      )}
    </Card>
  )
}
