import { mustBeConfirmed } from "@/lib/access/credentials/session"
import { confirmationSucceeded, mayConfirm } from "@/lib/access/credentials/sign-in-limits"
import { recordAccountChange } from "@/lib/access/people/api"
import { allowPerson } from "@/lib/access/permissions"
import {
  confirmationRequired,
  secondFactorMissing,
  sessionRequired,
  totpExists,
  totpMissing,
} from "@/lib/access/problems"
import {
  beginTotp,
  confirmTotp,
  readSecondFactors,
  removeTotp,
  replaceRecoveryCodes,
} from "@/lib/access/second-factor/data"
import { newRecoveryCodes, base32, totpSecretBytes, totpUri } from "@/lib/access/second-factor/codes"
import { NewTotp, RecoveryCodes, SecondFactor, TotpConfirmation } from "@/lib/access/second-factor/schema"
import { env } from "@/lib/platform/env/env"
import { organizationEndpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"
import { present } from "@/lib/platform/schema"

export const getSecondFactor = organizationEndpoint({
  route: "GET /v1/session/second-factor",
  operationId: "getSecondFactor",
  tag: "Session",
  summary: "Get your second factor",
  description: "What signing in asks the user for after password, link or provider.",
  access: allowPerson(),
  bucket: null,
  answers: [200, SecondFactor],
  problems: [sessionRequired],
  additive: true,

  async run({ principal }) {
    if (principal.kind === "key") throw sessionRequired()
    const { totpSince, ...counts } = await readSecondFactors(principal.userId)
    return { totpSince: present(totpSince), ...counts }
  },
})

export const beginTotpSetup = organizationEndpoint({
  route: "POST /v1/session/totp",
  operationId: "beginTotpSetup",
  tag: "Session",
  summary: "Set up an authenticator app",
  description:
    "Makes a secret for an app that shows one-time codes (RFC 6238). Signing in asks for codes once a first one was confirmed. Needs a recent sign-in, as creating an API key does.",
  access: allowPerson(),
  bucket: null,
  answers: [200, NewTotp],
  problems: [sessionRequired, confirmationRequired, totpExists],
  additive: true,

  async run({ principal }, _, io) {
    if (principal.kind === "key") throw sessionRequired()
    await mustBeConfirmed(principal, io.clock)
    const secret = io.random.bytes(totpSecretBytes)
    if (!(await beginTotp(principal.userId, secret))) throw totpExists()
    const issuer = `Mailroom ${new URL(env().baseUrl).hostname}`
    return { secret: base32(secret), uri: totpUri(secret, { issuer, account: principal.email }) }
  },
})

export const confirmTotpSetup = organizationEndpoint({
  route: "POST /v1/session/totp/confirm",
  operationId: "confirmTotpSetup",
  tag: "Session",
  summary: "Confirm an authenticator app",
  description:
    "From now on signing in asks for a code. Answers ten recovery codes, ends all other sessions of the user, and has 20 attempts in 15 minutes.",
  access: allowPerson(),
  bucket: null,
  body: TotpConfirmation,
  answers: [200, RecoveryCodes],
  problems: [requestInvalid, sessionRequired, confirmationRequired, totpMissing],
  additive: true,
  example: { body: { code: "123456" } },

  async run({ principal, request }, { body }, io) {
    if (principal.kind === "key") throw sessionRequired()
    await mustBeConfirmed(principal, io.clock)
    const refuse = (detail: string) => requestInvalid(detail, { errors: [{ pointer: "/code", detail }] })
    if (!(await mayConfirm(principal.sessionId))) throw refuse("Too many attempts. Wait 15 minutes.")
    const recoveryCodes = newRecoveryCodes(io.random)
    const result = await confirmTotp(principal, body.code.replace(" ", ""), recoveryCodes)
    if (result === "missing") throw totpMissing()
    if (result === "wrong") throw refuse("Not the code of the app at this time. Check that its clock is right.")
    await confirmationSucceeded(principal.sessionId)
    await recordAccountChange(principal, request, { action: "user.totp_enabled" })
    return { recoveryCodes }
  },
})

export const disableTotp = organizationEndpoint({
  route: "DELETE /v1/session/totp",
  operationId: "disableTotp",
  tag: "Session",
  summary: "Remove the authenticator app",
  description:
    "Signing in no longer asks for its codes. The recovery codes end with the last second factor. Needs a recent sign-in.",
  access: allowPerson(),
  bucket: null,
  answers: [204],
  problems: [sessionRequired, confirmationRequired, totpMissing],
  additive: true,

  async run({ principal, request }, _, io) {
    if (principal.kind === "key") throw sessionRequired()
    await mustBeConfirmed(principal, io.clock)
    if (!(await removeTotp(principal.userId))) throw totpMissing()
    await recordAccountChange(principal, request, { action: "user.totp_disabled" })
  },
})

export const createRecoveryCodes = organizationEndpoint({
  route: "POST /v1/session/recovery-codes",
  operationId: "createRecoveryCodes",
  tag: "Session",
  summary: "Make new recovery codes",
  description: "Ten new codes, which replace all earlier ones. Needs a recent sign-in.",
  access: allowPerson(),
  bucket: null,
  answers: [200, RecoveryCodes],
  problems: [sessionRequired, confirmationRequired, secondFactorMissing],
  additive: true,

  async run({ principal, request }, _, io) {
    if (principal.kind === "key") throw sessionRequired()
    await mustBeConfirmed(principal, io.clock)
    const recoveryCodes = newRecoveryCodes(io.random)
    if (!(await replaceRecoveryCodes(principal.userId, recoveryCodes))) throw secondFactorMissing()
    await recordAccountChange(principal, request, { action: "user.recovery_codes_created" })
    return { recoveryCodes }
  },
})

export const secondFactorOperations = [
  getSecondFactor,
  beginTotpSetup,
  confirmTotpSetup,
  disableTotp,
  createRecoveryCodes,
] as const
