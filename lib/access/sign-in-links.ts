import { env } from "@/lib/platform/env"
import { sha256 } from "@/lib/platform/crypto"
import type { Io } from "@/lib/platform/io"
import { addSignInLink, takeSignInLink } from "@/lib/access/people-store"

const VALID_MS = 15 * 60_000
const TOKEN_BYTES = 32

/** An address that signs a user in, once, within 15 minutes. Only its hash is kept. */
export async function newSignInLink(userId: string, io: Pick<Io, "clock" | "random">): Promise<{ url: string; expiresAt: Date }> {
  const token = io.random.bytes(TOKEN_BYTES).toString("base64url")
  const expiresAt = new Date(io.clock.now().getTime() + VALID_MS)
  await addSignInLink(userId, sha256(token), expiresAt)
  return { url: `${env().baseUrl}/sign-in/link?token=${token}`, expiresAt }
}

/** The user whom a link's token signs in, once; null when it is unknown, used or late. */
export function redeemSignInLink(token: string): Promise<string | null> {
  return takeSignInLink(sha256(token))
}
