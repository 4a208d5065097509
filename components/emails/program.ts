import { deviceOf } from "@/lib/tracking/hits/device-rules"

/** A user agent for people: "Apple Mail on iOS"; as it is where nothing is known. */
export function programOf(userAgent: string): string {
  const { mailClient, os } = deviceOf(userAgent)
  if (mailClient === undefined) return userAgent.length > 60 ? `${userAgent.slice(0, 60)}…` : userAgent
  return os === undefined ? mailClient : `${mailClient} on ${os}`
}
