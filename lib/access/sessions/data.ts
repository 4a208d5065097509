import type { OpenSession } from "@/lib/access/sessions/schema"
import { databaseTime } from "@/lib/platform/database/clock-sql"
import { unscoped } from "@/lib/platform/database/db"
import { env } from "@/lib/platform/env/env"
import { shown } from "@/lib/platform/database/shape"
import type { SessionPrincipal } from "@/lib/platform/http/scope"
import { dayMs } from "@/lib/platform/time"
import { present } from "@/lib/platform/schema"
import type { Prisma } from "@/prisma/generated/client"

const shape = {
  id: true,
  userId: false,
  lastSeenAt: true,
  expiresAt: true,
  revokedAt: false,
  signedInBy: true,
  confirmedAt: false,
  ip: true,
  userAgent: true,
  createdAt: true,
} as const satisfies Record<Prisma.SessionScalarFieldEnum, boolean>

const sessionsMax = 100

/** The sessions of a user that have not ended: this one first, then as they were last used. */
export async function listOpenSessions({ userId, sessionId }: SessionPrincipal): Promise<OpenSession[]> {
  const now = await databaseTime()
  const rows = await unscoped().session.findMany({
    where: {
      userId,
      revokedAt: null,
      expiresAt: { gt: now },
      lastSeenAt: { gt: new Date(now.getTime() - dayMs) },
    },
    select: shape,
    orderBy: [{ lastSeenAt: "desc" }, { id: "desc" }],
    take: sessionsMax,
  })
  return rows
    .map(({ userAgent, ip, ...row }) =>
      shown<OpenSession>()({
        ...row,
        provider: row.signedInBy === "oidc" ? env().identity.oidc?.name : undefined,
        current: row.id === sessionId,
        ip: present(ip),
        ...browserOf(userAgent),
      }),
    )
    .sort((one, other) => Number(other.current) - Number(one.current))
}

/** Ends an open session of the user, within 1 s in every process. Null when there is none with this id. */
export async function endOwnSession(
  { userId }: SessionPrincipal,
  id: string,
): Promise<(BrowserNames & { ip: string | undefined }) | null> {
  const [ended] = await unscoped().session.updateManyAndReturn({
    where: { id, userId, revokedAt: null },
    data: { revokedAt: await databaseTime() },
    select: { ip: true, userAgent: true },
  })
  return ended ? { ip: present(ended.ip), ...browserOf(ended.userAgent) } : null
}

/** The browser and the system that a user agent names, as their makers write them. */
type BrowserNames = { browser: string | undefined; system: string | undefined }

// In this order: most browsers also name those whose pages they want to get.
const browsers: [RegExp, string][] = [
  [/\b(?:Edg|EdgA|EdgiOS)\//, "Edge"],
  [/\b(?:OPR|OPiOS)\//, "Opera"],
  [/\bVivaldi\//, "Vivaldi"],
  [/\bSamsungBrowser\//, "Samsung Internet"],
  [/\b(?:Firefox|FxiOS)\//, "Firefox"],
  [/\b(?:Chrome|Chromium|HeadlessChrome|CriOS)\//, "Chrome"],
  [/\bVersion\/[\d.]+ .*\bSafari\//, "Safari"],
]
const systems: [RegExp, string][] = [
  [/\biPad\b/, "iPadOS"],
  [/\biPhone\b/, "iOS"],
  [/\bAndroid\b/, "Android"],
  [/\bCrOS\b/, "ChromeOS"],
  [/\bWindows\b/, "Windows"],
  [/\bMac(?:intosh| OS X)\b/, "macOS"],
  [/\bLinux\b/, "Linux"],
]

export function browserOf(userAgent: string | null): BrowserNames {
  const [browser, system] = [browsers, systems].map(
    (known) => known.find(([named]) => named.test(userAgent ?? ""))?.[1],
  )
  return { browser, system }
}
