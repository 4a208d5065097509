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
  "You have not verified this address yet. Sign in once with a sign-in link, GitHub or Google, then accept the invite.",
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
