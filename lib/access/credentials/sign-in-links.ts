import { env } from "@/lib/platform/env/env"
import { sha256 } from "@/lib/platform/crypto"
import type { Io } from "@/lib/platform/io"
import { admit } from "@/lib/access/people/admission-store"
import { addSignInLink, takeSignInLink } from "@/lib/access/people/people-store"

const VALID_MS = 15 * 60_000
const TOKEN_BYTES = 32

/**
 * An address of ours that signs somebody in, once, within 15 minutes: a user (by id), or whom an invite admits (by
 * address). Only its hash is kept. `wanted` is the path of ours that it leads on to.
 */
export async function newSignInLink(
  holder: string | { email: string },
  io: Pick<Io, "clock" | "random">,
  wanted?: string,
): Promise<{ url: string; expiresAt: Date }> {
  const token = io.random.bytes(TOKEN_BYTES).toString("base64url")
  const expiresAt = new Date(io.clock.now().getTime() + VALID_MS)
  await addSignInLink(typeof holder === "string" ? { userId: holder } : holder, sha256(token), expiresAt)
  const query = new URLSearchParams({ token, ...(wanted && { callbackUrl: wanted }) })
  return { url: `${env().baseUrl}/sign-in/link?${query.toString()}`, expiresAt }
}

/** The user whom a link's token signs in, once; null when it is unknown, used or late, or its invite is gone. */
export async function redeemSignInLink(token: string, { ip }: { ip: string }): Promise<string | null> {
  const holder = await takeSignInLink(sha256(token))
  return holder && admit(holder, { by: "link", ip })
}
