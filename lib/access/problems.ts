import { problem } from "@/lib/platform/http/problem"

export const credentialsMissing = problem(
  "auth.missing_credentials",
  401,
  "Credentials missing",
  "Send an API key as `Authorization: Bearer mr_live_…`. Keys are made in the dashboard, under API keys.",
)
export const credentialsInvalid = problem(
  "auth.invalid_credentials",
  401,
  "Credentials invalid",
  "The key or session is unknown, expired or revoked, or not written as `Authorization: Bearer mr_live_…`.",
)
export const permissionMissing = problem(
  "auth.permission_missing",
  403,
  "Permission missing",
  "The credential lacks the permission that this operation needs. Make a key that has it, or ask an admin for the role.",
)
export const sessionRequired = problem(
  "auth.session_required",
  403,
  "For signed-in people only",
  "This operation is done in the dashboard by a person; an API key cannot do it, whatever its permissions.",
)
export const projectMismatch = problem(
  "auth.project_mismatch",
  403,
  "Not this key's project",
  "The project in the path is not the project of the API key. A key works for exactly one project.",
)
export const crossOrigin = problem(
  "auth.cross_origin",
  403,
  "Request from another origin",
  "A change made with a session must come from the dashboard's own pages.",
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
  "The bucket of this operation is empty. Wait for `Retry-After` seconds, with some jitter, and try again.",
)
export const tooManyFailures = problem(
  "auth.too_many_failures",
  429,
  "Too many failed credentials",
  "Too many requests with a wrong credential came from this address. Wait for `Retry-After` seconds.",
)
export const signInRefused = problem(
  "auth.sign_in_refused",
  401,
  "Sign-in failed",
  "Incorrect email or password, or too many failed attempts: then wait 15 minutes. A sign-in link works once, within 15 minutes.",
)
export const signInLinksOff = problem(
  "auth.sign_in_links_off",
  403,
  "No sign-in links here",
  "This installation cannot send email of its own yet, because no region has a mail server. Whoever operates it can print you a sign-in link.",
)
export const confirmationRequired = problem(
  "auth.confirmation_required",
  403,
  "Confirm that it is you",
  "This operation needs that you signed in, or entered your password, within the last 15 minutes. Confirm with `POST /v1/session/confirm`, or sign in again.",
)
export const memberMissing = problem(
  "member.not_found",
  404,
  "Member not found",
  "The organization has no such member.",
)
export const lastOwner = problem(
  "member.last_owner",
  409,
  "The last owner",
  "An organization needs an owner. Make somebody else one first.",
)
export const alreadyMember = problem(
  "member.already_exists",
  409,
  "Already a member",
  "This person is a member of the organization. Change their role instead.",
)
export const inviteMissing = problem(
  "invite.not_found",
  404,
  "No such invite",
  "The invite was already used, revoked or replaced by a newer one, is older than 7 days, or is for another address.",
)
export const addressUnproven = problem(
  "invite.address_unproven",
  403,
  "Email address not verified",
  "Nobody has shown yet that this address is yours. Sign in once by a sign-in link, GitHub or Google, then accept the invite.",
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
  "The invited address has an account. Sign in with it, then accept the invite.",
)
