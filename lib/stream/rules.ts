import type { Permission } from "@/lib/access/permissions"

/** What a key needs to open a stream, and as long as the stream is open. Every member may read events. */
export const streamPermission: Permission = "emails:send"

/** Events of the last hour are counted by periods of two minutes, which begin with even minutes. */
export const periodMs = 120_000
export const periodsOfHour = 30

/** The begin of the 30 periods that end with the one of this time. */
export function hourBefore(time: Date): Date {
  return new Date((Math.floor(time.getTime() / periodMs) + 1 - periodsOfHour) * periodMs)
}
