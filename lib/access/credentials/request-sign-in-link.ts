import { queueSystemMail } from "@/lib/access/system-mail/store"
import { personAddress } from "@/lib/addresses/person-address"
import { signInLinksOff } from "@/lib/access/problems"
import { landingPath } from "@/lib/access/rules"
import { SignInLinkRequest } from "@/lib/access/credentials/schema"
import { mayAskForLink } from "@/lib/access/credentials/sign-in-limits"
import { systemMailExpiresAfterMs, systemRelay } from "@/lib/access/system-mail/system-mail"
import { publicEndpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"

export const requestSignInLink = publicEndpoint({
  route: "POST /v1/session/links",
  operationId: "requestSignInLink",
  tag: "Session",
  summary: "Email a sign-in link",
  description:
    "Sends a link to users and invited addresses only; the answer and its timing are the same for every address. The link works once, within 15 minutes of being sent. An address gets at most 20 links in 15 minutes, 5 of them requested from one network; more are dropped.",
  access: { credential: "none" },
  bucket: null,
  body: SignInLinkRequest,
  answers: [204],
  problems: [requestInvalid, signInLinksOff],
  additive: true,

  async run({ request }, { body }, io) {
    if (!systemRelay()) throw signInLinksOff()
    const to = personAddress(body.email)
    if (!to) throw requestInvalid(undefined, { errors: [{ pointer: "/email", detail: "Must be one email address." }] })
    if (!(await mayAskForLink({ account: to, ip: request.ip }))) return
    const wanted = landingPath(body.wanted)
    await queueSystemMail(
      { kind: "sign-in-link", to, ...(wanted !== "/" && { wanted }) },
      new Date(io.clock.now().getTime() + systemMailExpiresAfterMs),
    )
  },
})
