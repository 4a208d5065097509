import { env } from "@/lib/platform/env/env"
import { sha256 } from "@/lib/platform/crypto"
import type { Io } from "@/lib/platform/io"
import { admit } from "@/lib/access/people/admission-store"
import { addSignInLink, takeSignInLink, type LinkRecipient } from "@/lib/access/credentials/link-store"

const validMs = 15 * 60_000
const tokenBytes = 32

/**
 * A link that signs a user or an invited address in, once, within 15 minutes. Only its hash is stored. `wanted` is the path
 * of ours that it leads on to.
 */
export async function newSignInLink(
  recipient: LinkRecipient,
  io: Pick<Io, "clock" | "random">,
  wanted?: string,
): Promise<{ url: string; expiresAt: Date }> {
  const token = io.random.bytes(tokenBytes).toString("base64url")
  const expiresAt = new Date(io.clock.now().getTime() + validMs)
  await addSignInLink(recipient, sha256(token), expiresAt)
  const query = new URLSearchParams({ token, ...(wanted && { callbackUrl: wanted }) })
  return { url: `${env().baseUrl}/sign-in/link?${query.toString()}`, expiresAt }
}

/** The user whom a link's token signs in, once; null when it is unknown, used or expired, or its invite is no longer open. */
export async function redeemSignInLink(token: string, { ip }: { ip: string }): Promise<string | null> {
  const recipient = await takeSignInLink(sha256(token))
  return recipient && admit(recipient, { by: "link", ip })
}
