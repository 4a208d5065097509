"use client"

import Link from "next/link"
import { useSyncExternalStore } from "react"
import { ClockTime } from "@/components/emails/clock-time"
import { ConnectionWords } from "@/components/stream/connection-words"
import { RateStrip } from "@/components/stream/rate-strip"
import { eventWords } from "@/components/stream/stream-event"
import { useStream } from "@/components/stream/use-stream"
import { Card, CardHeader } from "@/components/ui/card"
import { Pill } from "@/components/ui/pill"
import { TextLink } from "@/components/ui/text-link"

const shown = 4

/** The newest events as they happen. A hidden tab opens no stream, because a browser has few connections. */
export default function LiveCard({ projectId }: { projectId: string }) {
  const visible = useSyncExternalStore(
    subscribeToVisibility,
    () => !document.hidden,
    () => false,
  )
  const { connection, log, meter } = useStream(projectId, { enabled: visible })
  const newest = log.shown.slice(-shown).reverse()
  return (
    <Card aria-labelledby="overview-live">
      <CardHeader
        id="overview-live"
        title="Live"
        actions={
          <>
            <ConnectionWords connection={connection} />
            <TextLink href={`/projects/${projectId}/stream`}>Open the live page</TextLink>
          </>
        }
      />
      <RateStrip meter={meter} received={log.total} />
      {newest.length === 0 ? (
        <p className="px-4 py-6 text-center text-muted">
          What happens to your emails appears here the moment it happens.
        </p>
      ) : (
        <ul className="divide-y divide-line">
          {newest.map(({ id, type, emailId, occurredAt, data }) => (
            <li key={id}>
              <Link
                href={`/projects/${projectId}/emails/${emailId}`}
                prefetch={false}
                className="flex h-10 items-center gap-3 px-4 -outline-offset-2 hover:bg-sunken"
              >
                <span className="w-28 shrink-0">
                  <Pill tone={eventWords(type).tone}>{eventWords(type).word}</Pill>
                </span>
                <span className="min-w-0 flex-1 truncate font-medium">{data.to}</span>
                <span className="hidden min-w-0 flex-1 truncate text-muted sm:block">{data.subject}</span>
                <span className="hidden shrink-0 text-faint sm:block">
                  <ClockTime at={occurredAt} />
                </span>
              </Link>
            </li>
          ))}
        </ul>
      )}
    </Card>
  )
}

function subscribeToVisibility(listener: () => void): () => void {
  document.addEventListener("visibilitychange", listener)
  return () => document.removeEventListener("visibilitychange", listener)
}
