"use client"

import { useQuery } from "@tanstack/react-query"
import { RequestStatus } from "@/components/api-keys/request-table"
import type { CallAnswer } from "@/components/data/call"
import { Moment } from "@/components/data/clock-time"
import { objectPage } from "@/components/data/object-pages"
import { PageNotLoaded } from "@/components/data/page-not-loaded"
import { requestQuery } from "@/components/logs/queries"
import { Card, CardHeader } from "@/components/ui/card"
import { CopyText } from "@/components/ui/copy-button"
import { KeyValues } from "@/components/ui/key-values"
import { PageHeader } from "@/components/ui/page-header"
import { TextLink } from "@/components/ui/text"
import { formatNumber } from "@/lib/platform/format"

type Detail = CallAnswer<"GET /v1/projects/{projectId}/requests/{requestId}">

const notKept =
  "The log has requests with an API key, about a second after they ended and for 90 days. What the dashboard asks for is not in it."

/** One request with a key: how it was answered, why it was refused, where it came from and what it made. */
export function RequestDetail({ projectId, requestId }: { projectId: string; requestId: string }) {
  const read = useQuery(requestQuery(projectId, requestId))
  const list = { label: "Requests", href: `/projects/${projectId}/logs` }
  if (!read.data) return <PageNotLoaded of="Request" lists={[list]} read={read} missing={notKept} />
  const request = read.data
  const { method, route, statusCode, durationMs, ts } = request
  return (
    <>
      <PageHeader
        title={
          <code className="text-xl">
            <span className="text-muted">{method}</span> {route}
          </code>
        }
        crumbs={[list, { label: "Request" }]}
        meta={[
          <RequestStatus key="status" code={statusCode} />,
          <Moment key="at" at={ts} />,
          durationMs === undefined ? null : `${formatNumber(durationMs)} ms`,
          <CopyText key="id" value={requestId} name="request ID" inline />,
        ]}
      />
      <ProblemCard request={request} />
      <ObjectsCard projectId={projectId} request={request} />
      <Card aria-label="Caller">
        <CardHeader title="Caller" description="No bodies and no query strings are kept." />
        <KeyValues items={callerOf(projectId, request)} />
      </Card>
    </>
  )
}

/** Why the request was refused, as its caller was told. */
function ProblemCard({ request: { problemCode, problemDetail, problemFields = [] } }: { request: Detail }) {
  if (!problemCode) return null
  return (
    <Card aria-label="Problem">
      <CardHeader
        title="Problem"
        description={problemDetail}
        actions={
          <TextLink href={`/problems/${problemCode}`} className="font-mono">
            {problemCode}
          </TextLink>
        }
      />
      {problemFields.length ? (
        <KeyValues
          items={problemFields.map(({ pointer, detail }) => ({ label: <code>{pointer}</code>, value: detail }))}
        />
      ) : null}
    </Card>
  )
}

/** What the request made, or what its path names. */
function ObjectsCard({
  projectId,
  request: { method, statusCode, objectIds },
}: {
  projectId: string
  request: Detail
}) {
  if (!objectIds.length) return null
  const made = method === "POST" && statusCode < 400
  return (
    <Card aria-label="Objects">
      <CardHeader
        title={made ? "Made or changed" : "About"}
        description={objectIds.length > 1 ? `${formatNumber(objectIds.length)} objects` : undefined}
      />
      <KeyValues
        items={objectIds.map((id) => {
          const page = objectPage(projectId, id)
          return {
            label: page?.kind ?? "ID",
            value: page ? (
              <TextLink href={page.href} prefetch={false} className="font-mono">
                {id}
              </TextLink>
            ) : (
              <code>{id}</code>
            ),
          }
        })}
      />
    </Card>
  )
}

function callerOf(projectId: string, { keyId, keyName, ip, userAgent, idempotencyKey, notice }: Detail) {
  return [
    {
      label: "API key",
      value: <TextLink href={`/projects/${projectId}/api-keys/${keyId}`}>{keyName ?? "Unnamed key"}</TextLink>,
    },
    ip !== undefined && { label: "IP address", value: <code>{ip}</code> },
    userAgent !== undefined && { label: "User agent", value: <code>{userAgent}</code> },
    idempotencyKey !== undefined && { label: "Idempotency key", value: <code>{idempotencyKey}</code> },
    notice !== undefined && {
      label: "Notice",
      value: <TextLink href="/docs/idempotency">Idempotency-Key was not read</TextLink>,
    },
  ]
}
