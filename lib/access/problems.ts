import { problem } from "@/lib/platform/http/problem"

export const credentialsMissing = problem(
  "auth.missing_credentials",
  401,
  "Credentials missing",
  "Send an API key as `Authorization: Bearer mr_live_…`. Create keys in the dashboard, under API keys.",
)
export const credentialsInvalid = problem(
  "auth.invalid_credentials",
  401,
  "Credentials invalid",
  "The API key or session is unknown, expired or revoked, or the header is not `Authorization: Bearer mr_live_…`.",
)
export const permissionMissing = problem(
  "auth.permission_missing",
  403,
  "Permission missing",
  "The credential lacks the permission for this operation. Create an API key that has it, or ask an admin for another role.",
)
export const sessionRequired = problem(
  "auth.session_required",
  403,
  "Sign-in required",
  "Only a signed-in user can do this, in the dashboard. API keys cannot, whatever their permissions.",
)
export const keyRequired = problem(
  "auth.key_required",
  403,
  "API key required",
  "This operation is about the API key that calls it. Send one as `Authorization: Bearer mr_live_…`.",
)
export const projectMismatch = problem(
  "auth.project_mismatch",
  403,
  "Wrong project",
  "The project in the path is not the API key's project. A key works for exactly one project.",
)
export const addressNotAllowed = problem(
  "auth.address_not_allowed",
  403,
  "Address not allowed",
  "This API key may not be used from this address.",
)
export const senderNotAllowed = problem(
  "auth.sender_not_allowed",
  403,
  "Sender not allowed",
  "The API key is restricted to some domains of the project, and the domain of `from` is none of them. Send from one of those, or use another key.",
)
export const crossOrigin = problem(
  "auth.cross_origin",
  403,
  "Cross-origin request",
  "Changes with a session are accepted only from the dashboard's own pages.",
)
export const projectMissing = problem(
  "project.not_found",
  404,
  "Project not found",
  "Project not found, or you are not a member.",
)
export const rateLimited = problem(
  "rate_limit.exceeded",
  429,
  "Too many requests",
  "The rate limit of this operation is reached. Wait for `Retry-After` seconds, plus some jitter, and retry.",
)
export const tooManyFailures = problem(
  "auth.too_many_failures",
  429,
  "Too many failed credentials",
  "Too many requests with invalid credentials came from this address. Wait for `Retry-After` seconds.",
)
export const signInRefused = problem(
  "auth.sign_in_refused",
  401,
  "Sign-in failed",
  "Incorrect email or password. After too many failed attempts, wait 15 minutes. A sign-in link works once, within 15 minutes.",
)
export const secondStepRequired = problem(
  "auth.second_step_required",
  401,
  "Second step required",
  "The first step of signing in was passed. Enter a code of your authenticator app, or a recovery code, within 10 minutes; or sign in with a passkey.",
)
export const secondStepRefused = problem(
  "auth.second_step_refused",
  401,
  "Incorrect code",
  "Each code works once. After too many incorrect codes, wait 15 minutes.",
)
export const secondStepExpired = problem(
  "auth.second_step_expired",
  401,
  "Sign-in expired",
  "The second step took longer than 10 minutes, or was finished elsewhere. Sign in again.",
)
export const totpExists = problem(
  "totp.already_enabled",
  409,
  "Authenticator app already set up",
  "Signing in already asks for a code of an authenticator app. Remove it before you set up another one.",
)
export const totpMissing = problem(
  "totp.not_found",
  404,
  "No authenticator app",
  "No authenticator app is set up, or none waits to be confirmed.",
)
export const secondFactorMissing = problem(
  "second_factor.not_found",
  404,
  "No second factor",
  "Recovery codes replace a second factor. Set up an authenticator app or add a passkey first.",
)
export const passkeyMissing = problem(
  "passkey.not_found",
  404,
  "Passkey not found",
  "You have no passkey with this id.",
)
export const passkeyRefused = problem(
  "passkey.refused",
  400,
  "Passkey refused",
  "What the browser created is not valid here, or took longer than 5 minutes. Begin again at the address of this installation.",
)
export const passkeyExists = problem(
  "passkey.already_exists",
  409,
  "Passkey already added",
  "This passkey signs somebody in already. Use another one.",
)
export const tooManyPasskeys = problem(
  "passkey.too_many",
  409,
  "Too many passkeys",
  "You have reached the limit of 20 passkeys. Remove one that you no longer use.",
)
export const secondFactorRequired = problem(
  "auth.second_factor_required",
  403,
  "Second factor required",
  "The organization requires two-factor authentication of its members. Set up an authenticator app or add a passkey first.",
)
export const ownSecondFactorMissing = problem(
  "member.own_second_factor_missing",
  409,
  "No second factor of your own",
  "You would lock yourself out. Set up an authenticator app or add a passkey under Your account first.",
)
export const signInLinksOff = problem(
  "auth.sign_in_links_off",
  403,
  "Sign-in links unavailable",
  "This installation cannot send system email yet, because no region has a mail server. Ask its operator for a sign-in link.",
)
export const confirmationRequired = problem(
  "auth.confirmation_required",
  403,
  "Confirm your identity",
  "You must have signed in or confirmed your password within the last 15 minutes. Confirm it with `POST /v1/session/confirm`, or sign in again.",
)
export const sessionMissing = problem(
  "session.not_found",
  404,
  "Session not found",
  "Session not found, or already ended.",
)
export const memberMissing = problem(
  "member.not_found",
  404,
  "Member not found",
  "Member not found in this organization.",
)
export const lastOwner = problem(
  "member.last_owner",
  409,
  "Last owner",
  "An organization needs an owner. Make another member an owner first.",
)
export const alreadyMember = problem(
  "member.already_exists",
  409,
  "Already a member",
  "This person is already a member of the organization. Change their role instead.",
)
export const inviteMissing = problem(
  "invite.not_found",
  404,
  "Invite not found",
  "The invite was already used, revoked or replaced, has expired after 7 days, or is for another address.",
)
export const addressUnproven = problem(
  "invite.address_unproven",
  403,
  "Email address not verified",
  "You have not verified this address yet. Sign in once with a sign-in link or by an identity provider, then accept the invite.",
)
export const tooManyInvites = problem(
  "invite.too_many",
  429,
  "Too many invites",
  "You have reached the limit on pending invites. Wait, or ask someone to accept theirs.",
)
export const accountExists = problem(
  "invite.account_exists",
  409,
  "Sign in to accept",
  "The invited address has an account. Sign in to it, then accept the invite.",
)
