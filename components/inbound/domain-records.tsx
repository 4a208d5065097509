"use client"

import { useQuery } from "@tanstack/react-query"
import { Fragment } from "react"
import { useMay } from "@/components/access/powers"
import { NotLoaded } from "@/components/data/load-error"
import { type Mx, MxRecord, mxState } from "@/components/inbound/words"
import { domainRoutesQuery, type InboundRoute } from "@/components/inbound/queries"
import { Card, CardHeader } from "@/components/ui/card"
import { Pill } from "@/components/ui/pill"
import { TextLink } from "@/components/ui/text"

/** On the page of a domain: the MX records that bring the mail of its inbound routes here. Nothing if it has no route. */
export function DomainRecords({ projectId, domainId }: { projectId: string; domainId: string }) {
  const routes = useQuery({ ...domainRoutesQuery(projectId, domainId), enabled: useMay("inbound:read") })
  if (routes.error && !routes.data)
    return (
      <Card aria-label="MX records of inbound routes">
        <NotLoaded read={routes} label="inbound routes" />
      </Card>
    )
  return recordsOf(routes.data?.data ?? []).map(({ mx, routes: its }) => {
    const { word, tone, means } = mxState({ mx })
    return (
      <Card key={mx.name} aria-label={`MX record of ${mx.name}`}>
        <CardHeader
          title={
            <span className="flex items-center gap-2">
              MX record of {mx.name} <Pill tone={tone}>{word}</Pill>
            </span>
          }
          description={
            <>
              {means} For{" "}
              {its.map(({ id, address }, index) => (
                <Fragment key={id}>
                  {index > 0 ? ", " : ""}
                  <TextLink href={`/projects/${projectId}/inbound/routes/${id}`}>{address}</TextLink>
                </Fragment>
              ))}
              .
            </>
          }
        />
        <MxRecord mx={mx} />
      </Card>
    )
  })
}

/** One record for each name, with the routes that need it. */
function recordsOf(routes: readonly InboundRoute[]): { mx: Mx; routes: InboundRoute[] }[] {
  const records = new Map<string, { mx: Mx; routes: InboundRoute[] }>()
  for (const route of routes) {
    if (!route.mx) continue
    const record = records.get(route.mx.name) ?? { mx: route.mx, routes: [] }
    record.routes.push(route)
    records.set(route.mx.name, record)
  }
  return [...records.values()]
}
