"use client"

import { useQuery } from "@tanstack/react-query"
import { useMay } from "@/components/access/powers"
import { firstCurl } from "@/components/emails/curl"
import { allDomainsQuery } from "@/components/emails/queries"

export type FirstSending = {
  /** Where the API is. */
  baseUrl: string
  /** An address at which a first email can arrive without harm. */
  recipient: string
}

/**
 * The command for an email from a domain of this project that may send; from a made-up one while there is none. Undefined for
 * whoever may not send.
 */
export function useFirstCurl(projectId: string, { baseUrl, recipient }: FirstSending): string | undefined {
  const may = useMay("emails:send")
  const { data } = useQuery(allDomainsQuery(projectId))
  const domains = data?.data ?? []
  const domain = domains.find(({ status }) => status === "verified") ?? domains[0]
  if (!may) return undefined
  return firstCurl(baseUrl, `hello@${domain?.domain ?? "your-domain.test"}`, recipient)
}
