"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { query } from "@/components/data/query"
import { domainsQuery, emailQuery, emailsQuery } from "@/components/emails/queries"
import { domainsLike, wantedOf, type Wanted } from "@/components/layout/palette/commands"
import { thingQuery, type ThingKind } from "@/components/layout/palette/thing"

const pauseMs = 200
const emailsMax = 5
const contactsMax = 3

/** What the API finds for this text: asked when its writer pauses, and never for more than a handful. */
export function useFound(projectId: string, text: string) {
  const asked = useSettled(text)
  const wanted = wantedOf(asked)
  const domains = useQuery(domainsQuery(projectId))
  const emailId = wanted.kind === "id" && wanted.of === "email" ? wanted.id : undefined
  const byId = useQuery({ ...emailQuery(projectId, emailId ?? ""), enabled: emailId !== undefined, retry: false })
  const named = namedBy(wanted)
  const thing = useQuery({ ...thingQuery(projectId, named?.of ?? "contact", named?.id ?? ""), enabled: named !== null })
  const byAddress = useQuery({
    ...emailsQuery(projectId, { size: emailsMax, search: wanted.kind === "address" ? wanted.address : "" }),
    enabled: wanted.kind === "address",
    placeholderData: keepPreviousData,
  })
  const sought =
    wanted.kind === "address" ? wanted.address : wanted.kind === "words" && wanted.words.length >= 3 ? wanted.words : ""
  const contacts = useQuery({
    ...query("GET /v1/projects/{projectId}/contacts", {
      params: { projectId },
      query: { size: contactsMax, search: sought },
    }),
    enabled: sought !== "",
    placeholderData: keepPreviousData,
    retry: false,
  })
  const one = emailId !== undefined && byId.data ? [byId.data] : []
  const several = wanted.kind === "address" && byAddress.data ? byAddress.data.data : []
  return {
    wanted: wantedOf(text),
    thing: named ? thing.data : undefined,
    emails: [...one, ...several],
    contacts: sought !== "" ? (contacts.data?.data ?? []) : [],
    domains: domainsLike(domains.data?.data ?? [], text),
    looking: asked !== text || byId.isFetching || thing.isFetching || byAddress.isFetching || contacts.isFetching,
  }
}

function namedBy(wanted: Wanted): { of: ThingKind; id: string } | null {
  return wanted.kind === "id" && wanted.of !== "email" ? { of: wanted.of, id: wanted.id } : null
}

function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}
