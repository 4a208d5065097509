"use client"

import { useQuery } from "@tanstack/react-query"
import { SkeletonRows } from "@/components/ui/loading"
import { HeaderList, headersOf, sizeWords, EmailSource } from "@/components/emails/message-source"
import { LoadError } from "@/components/data/load-error"
import { rawQuery } from "@/components/emails/queries"

type SourceTabProps = { projectId: string; emailId: string; part: "headers" | "raw" }

/** The signed bytes of the message, fetched when the tab is opened. */
export function SourceTab({ projectId, emailId, part }: SourceTabProps) {
  const raw = useQuery(rawQuery(projectId, emailId))
  if (raw.isPending) return <SkeletonRows rows={4} label="Loading the message" />
  if (raw.isError) return <LoadError error={raw.error} onRetry={() => void raw.refetch()} retrying={raw.isFetching} />
  if (raw.data === null) {
    return (
      <p className="px-4 py-3 text-muted">
        The message is composed and signed at its first attempt, so it has no source yet.
      </p>
    )
  }
  if (part === "headers") return <HeaderList headers={headersOf(raw.data)} />
  return (
    <>
      <p className="border-b border-line px-4 py-2.5 text-muted">
        {sizeWords(new Blob([raw.data]).size)}, as every attempt sends it.{" "}
        <a
          href={`/v1/projects/${projectId}/emails/${emailId}/raw`}
          download={`${emailId}.eml`}
          className="text-accent underline underline-offset-2"
        >
          Download .eml
        </a>
      </p>
      <EmailSource text={raw.data} name="raw message" />
    </>
  )
}
