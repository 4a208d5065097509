"use client"

import { keepPreviousData, useQuery } from "@tanstack/react-query"
import { useEffect, useState } from "react"
import { call } from "@/components/data/call"
import { audienceIn } from "@/components/compose/addresses"
import type { Recipient } from "@/components/compose/check"

const route = "POST /v1/projects/{projectId}/emails/check-recipients"
const pauseMs = 400
const checkedMax = 1_000

/** The state of each address, once the person has stopped typing for a moment; unknown until then. */
export function useRecipients(projectId: string, addresses: string[], topicId: string): Recipient[] {
  const typed = [...new Set(addresses)]
    .filter((address) => audienceIn(address) === null)
    .slice(0, checkedMax)
    .join("\n")
  const [asked, setAsked] = useState(typed)
  useEffect(() => {
    const timer = setTimeout(() => setAsked(typed), pauseMs)
    return () => clearTimeout(timer)
  }, [typed])

  const { data } = useQuery({
    queryKey: [route, projectId, topicId, asked],
    enabled: asked !== "",
    placeholderData: keepPreviousData,
    staleTime: 10_000,
    queryFn: () =>
      call(route, { params: { projectId }, body: { addresses: asked.split("\n"), ...(topicId ? { topicId } : {}) } }),
  })
  const known = new Map<string, Recipient>(data?.data.map((one) => [one.address, one]))
  return typed === "" ? [] : typed.split("\n").map((address) => known.get(address) ?? { address, state: "unknown" })
}
