import { requireSender } from "@/lib/access/authorize"
import { parseAddress } from "@/lib/addresses/address"
import { findStored, senderVerified } from "@/lib/broadcasts/data"
import { domainNotVerified, projectSuspended } from "@/lib/emails/problems"
import type { Scope } from "@/lib/platform/http/scope"
import { findProject } from "@/lib/projects/data"

/** Whether the project may send from this domain now; a draft need not. @throws senderNotAllowed, projectSuspended, domainNotVerified */
export async function checkSender(scope: Scope, domain: string): Promise<void> {
  requireSender(scope, domain)
  // As it is now: what a key knows of its project may be some seconds old.
  if ((await findProject(scope))?.status !== "active") throw projectSuspended()
  if (!(await senderVerified(scope, domain))) throw domainNotVerified()
}

/** The same for a stored broadcast; one that does not exist is left to the step that follows. */
export async function checkStoredSender(scope: Scope, id: string): Promise<void> {
  const stored = await findStored(scope, id)
  const sender = stored && parseAddress(stored.from)
  if (sender?.ok) await checkSender(scope, sender.domain)
}
