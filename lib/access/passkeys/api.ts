import { mustBeConfirmed } from "@/lib/access/credentials/session"
import {
  addChallenge,
  addPasskey,
  credentialIdsOf,
  listOwnPasskeys,
  removePasskey,
  renamePasskey,
  takeChallenge,
} from "@/lib/access/passkeys/data"
import {
  CreatedPasskey,
  NewPasskey,
  Passkey,
  PasskeyChange,
  PasskeyList,
  PasskeyOptions,
  passkeysMax,
} from "@/lib/access/passkeys/schema"
import { creationOptions, requestOptions, verifyNewPasskey } from "@/lib/access/passkeys/webauthn"
import { recordAccountChange } from "@/lib/access/people/api"
import { allowPerson } from "@/lib/access/permissions"
import {
  confirmationRequired,
  passkeyExists,
  passkeyMissing,
  passkeyRefused,
  sessionRequired,
  tooManyPasskeys,
} from "@/lib/access/problems"
import { newRecoveryCodes } from "@/lib/access/second-factor/codes"
import { organizationEndpoint, publicEndpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid, tooManyRequests } from "@/lib/platform/http/problems"

export const listPasskeys = organizationEndpoint({
  route: "GET /v1/session/passkeys",
  operationId: "listPasskeys",
  tag: "Session",
  summary: "List your passkeys",
  description: `The passkeys of the user, oldest first, at most ${passkeysMax}.`,
  access: allowPerson(),
  bucket: null,
  answers: [200, PasskeyList],
  problems: [sessionRequired],
  additive: true,

  async run({ principal }) {
    if (principal.kind === "key") throw sessionRequired()
    return { data: await listOwnPasskeys(principal.userId) }
  },
})

export const beginPasskey = organizationEndpoint({
  route: "POST /v1/session/passkeys/options",
  operationId: "beginPasskey",
  tag: "Session",
  summary: "Begin to add a passkey",
  description:
    "The options with which the browser creates a passkey, within 5 minutes and once. Needs a recent sign-in, as creating an API key does.",
  access: allowPerson(),
  bucket: null,
  answers: [200, PasskeyOptions],
  problems: [sessionRequired, confirmationRequired],
  additive: true,

  async run({ principal }, _, io) {
    if (principal.kind === "key") throw sessionRequired()
    await mustBeConfirmed(principal, io.clock)
    const options = await creationOptions(principal, await credentialIdsOf(principal.userId))
    await addChallenge(options.challenge, principal.userId)
    return { options: { ...options } }
  },
})

export const createPasskey = organizationEndpoint({
  route: "POST /v1/session/passkeys",
  operationId: "createPasskey",
  tag: "Session",
  summary: "Add a passkey",
  description:
    "What the browser created. From now on the passkey signs in without a password, and password, link or provider alone do not. The first second factor brings ten recovery codes and ends all other sessions.",
  access: allowPerson(),
  bucket: null,
  body: NewPasskey,
  answers: [200, CreatedPasskey],
  problems: [requestInvalid, sessionRequired, confirmationRequired, passkeyRefused, passkeyExists, tooManyPasskeys],
  additive: true,

  async run({ principal, request }, { body }, io) {
    if (principal.kind === "key") throw sessionRequired()
    await mustBeConfirmed(principal, io.clock)
    const { userId } = principal
    const verified = await verifyNewPasskey(body, (challenge) => takeChallenge(challenge, userId))
    if (!verified) throw passkeyRefused()
    const codes = newRecoveryCodes(io.random)
    const added = await addPasskey(principal, { ...verified, name: body.name }, codes)
    if (added === "known") throw passkeyExists()
    if (added === "too-many") throw tooManyPasskeys()
    await recordAccountChange(principal, request, { action: "user.passkey_added", changes: { passkey: body.name } })
    return { passkey: added.passkey, recoveryCodes: added.recoveryCodesStored ? codes : undefined }
  },
})

export const updatePasskey = organizationEndpoint({
  route: "PATCH /v1/session/passkeys/{passkeyId}",
  operationId: "updatePasskey",
  tag: "Session",
  summary: "Rename a passkey",
  description: "The name is for the list of the user's passkeys alone; the device does not see it.",
  access: allowPerson(),
  bucket: null,
  path: { passkeyId: { prefix: "pky", missing: passkeyMissing } },
  body: PasskeyChange,
  answers: [200, Passkey],
  problems: [requestInvalid, sessionRequired, passkeyMissing],
  additive: true,
  example: { body: { name: "Phone" } },

  async run({ principal, request }, { path, body }) {
    if (principal.kind === "key") throw sessionRequired()
    const renamed = await renamePasskey(principal.userId, path.passkeyId, body.name)
    if (!renamed) throw passkeyMissing()
    const changes = { passkey: { from: renamed.before, to: body.name } }
    await recordAccountChange(principal, request, { action: "user.passkey_renamed", changes })
    return renamed.passkey
  },
})

export const deletePasskey = organizationEndpoint({
  route: "DELETE /v1/session/passkeys/{passkeyId}",
  operationId: "deletePasskey",
  tag: "Session",
  summary: "Remove a passkey",
  description: "It signs in no longer. The recovery codes end with the last second factor. Needs a recent sign-in.",
  access: allowPerson(),
  bucket: null,
  path: { passkeyId: { prefix: "pky", missing: passkeyMissing } },
  answers: [204],
  problems: [sessionRequired, confirmationRequired, passkeyMissing],
  additive: true,

  async run({ principal, request }, { path }, io) {
    if (principal.kind === "key") throw sessionRequired()
    await mustBeConfirmed(principal, io.clock)
    const name = await removePasskey(principal.userId, path.passkeyId)
    if (name === null) throw passkeyMissing()
    await recordAccountChange(principal, request, { action: "user.passkey_removed", changes: { passkey: name } })
  },
})

export const beginPasskeySignIn = publicEndpoint({
  route: "POST /v1/session/passkey-sign-in",
  operationId: "beginPasskeySignIn",
  tag: "Session",
  summary: "Begin to sign in with a passkey",
  description:
    "The options with which the browser asks for any passkey of this installation, for 5 minutes and once. They are the same whoever asks.",
  access: { credential: "none" },
  bucket: null,
  answers: [200, PasskeyOptions],
  problems: [tooManyRequests],
  additive: true,

  async run() {
    const options = await requestOptions()
    await addChallenge(options.challenge, null)
    return { options: { ...options } }
  },
})

export const passkeyOperations = [
  listPasskeys,
  beginPasskey,
  createPasskey,
  updatePasskey,
  deletePasskey,
  beginPasskeySignIn,
] as const
