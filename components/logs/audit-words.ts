import type { AuditAction } from "@/lib/access/audit/rules"

/** What an entry says: `{actor}` is who did it, `{target}` what was changed, under the name that it had. */
const sentences: Record<AuditAction, string> = {
  "api_key.created": "{actor} created the API key {target}",
  "api_key.revoked": "{actor} revoked the API key {target}",
  "api_key.rotated": "{actor} rotated the API key {target}",
  "api_key.updated": "{actor} changed the API key {target}",
  "broadcasts.cancel": "{actor} cancelled the broadcast {target}",
  "broadcasts.create": "{actor} created the broadcast {target}",
  "broadcasts.delete": "{actor} deleted the broadcast {target}",
  "broadcasts.duplicate": "{actor} copied a broadcast to the draft {target}",
  "broadcasts.pause": "{actor} paused the broadcast {target}",
  "broadcasts.resume": "{actor} resumed the broadcast {target}",
  "broadcasts.send": "{actor} sent the broadcast {target}",
  "broadcasts.stop": "{actor} stopped the broadcast {target}",
  "broadcasts.update": "{actor} changed the broadcast {target}",
  "contact.deleted": "{actor} deleted the contact {target}",
  "contact.resubscribed": "{actor} subscribed the contact {target} again",
  "contact.unsubscribed": "{actor} unsubscribed the contact {target}",
  "contact.validation_recorded": "{actor} recorded a validation of the contact {target}",
  "contact_property.created": "{actor} defined the contact property {target}",
  "contact_property.deleted": "{actor} deleted the contact property {target}",
  "contact_property.updated": "{actor} changed the contact property {target}",
  "contacts.import": "{actor} imported contacts from {target}",
  "contacts.import_cancelled": "{actor} cancelled the import {target}",
  "destination.paused": "{actor} paused the destination {target}",
  "destination.resumed": "{actor} resumed the destination {target}",
  "destination.tried": "{actor} tried the destination {target}",
  "destination.limited": "{actor} set limits of the destination {target}",
  "domain.added": "{actor} added the domain {target}",
  "domain.bimi_changed": "{actor} changed the BIMI logo of {target}",
  "domain.check_requested": "{actor} checked the DNS records of {target}",
  "domain.degraded": "{actor} found records of {target} missing",
  "domain.deleted": "{actor} deleted the domain {target}",
  "domain.dkim_rotated": "{actor} rotated the DKIM key of {target}",
  "domain.failed": "{actor} found that {target} can no longer send",
  "domain.records_changed": "{actor} found that {target} needs other records",
  "domain.renamed": "{actor} changed the host names of {target}",
  "domain.reports_uploaded": "{actor} uploaded reports about {target}",
  "domain.verified": "{actor} verified the domain {target}",
  "egress_address.added": "{actor} added the sending address {target}",
  "egress_address.changed": "{actor} changed the sending address {target}",
  "egress_address.removed": "{actor} removed the sending address {target}",
  "emails.cancelled": "{actor} cancelled scheduled emails",
  "inbound_route.created": "{actor} created the inbound route {target}",
  "inbound_route.deleted": "{actor} deleted the inbound route {target}",
  "inbound_route.updated": "{actor} changed the inbound route {target}",
  "installation.bootstrapped": "{actor} created the organization by a command",
  "installation.set_up": "{actor} set up this installation",
  "invite.created": "{actor} invited {target}",
  "invite.revoked": "{actor} revoked the invite to {target}",
  "loop_test.started": "{actor} tested delivery reports with an email to this installation",
  "member.address_proven": "{actor} proved that the address {target} is theirs",
  "member.joined": "{actor} joined the organization",
  "member.left": "{actor} left the organization",
  "member.removed": "{actor} removed the member {target}",
  "member.renamed": "{actor} changed their name",
  "member.role_changed": "{actor} changed the role of {target}",
  "operator.added": "{actor} made {target} an operator",
  "operator.removed": "{actor} took the operator’s rights from {target}",
  "organization.created": "{actor} created the organization {target}",
  "organization.entitled": "{actor} changed what regions the organization may use",
  "organization.member_policy_changed": "{actor} changed whether members need a second factor",
  "organization.moved": "{actor} moved the organization to another cell",
  "organization.quota_nearly_used": "{actor} warned that 80% of the daily quota are used",
  "organization.quota_used_up": "{actor} warned that the daily quota is used up",
  "organization.renamed": "{actor} renamed the organization {target}",
  "project.bounce_rate_critical": "{actor} warned of a critical bounce rate in {target}",
  "project.complaint_rate_critical": "{actor} warned of a critical complaint rate in {target}",
  "project.created": "{actor} created the project {target}",
  "project.deleted": "{actor} deleted the project {target}",
  "project.limits_set": "{actor} set limits of the project {target}",
  "project.pool_set": "{actor} changed the address pool of the project {target}",
  "project.removed": "{actor} removed everything of the deleted project {target}",
  "project.restored": "{actor} restored the project {target}",
  "project.resumed": "{actor} resumed the project {target}",
  "project.suspended": "{actor} suspended the project {target}",
  "project.updated": "{actor} changed settings of the project {target}",
  "received_email.delivered_again": "{actor} delivered the received email {target} again",
  "relay_test.started": "{actor} tested the relay",
  "sandbox.messages_deleted": "{actor} deleted messages of the sandbox mailbox",
  "segments.create": "{actor} created the segment {target}",
  "segments.delete": "{actor} deleted the segment {target}",
  "segments.update": "{actor} changed the segment {target}",
  "setup_row.confirmed": "{actor} confirmed the set-up step {target}",
  "setup_row.unconfirmed": "{actor} took back the confirmation of the set-up step {target}",
  "suppressions.add": "{actor} suppressed the address {target}",
  "suppressions.import": "{actor} imported suppressed addresses",
  "suppressions.remove": "{actor} removed the suppression of {target}",
  "templates.create": "{actor} created the template {target}",
  "templates.delete": "{actor} deleted the template {target}",
  "templates.publish": "{actor} published the template {target}",
  "templates.update": "{actor} changed the template {target}",
  "topic.created": "{actor} created the topic {target}",
  "topic.deleted": "{actor} deleted the topic {target}",
  "topic.updated": "{actor} changed the topic {target}",
  "user.passkey_added": "{actor} added a passkey",
  "user.passkey_removed": "{actor} removed a passkey",
  "user.passkey_renamed": "{actor} renamed a passkey",
  "user.password_changed": "{actor} changed their password",
  "user.recovery_codes_created": "{actor} made new recovery codes",
  "user.second_factor_reset": "{actor} removed the second factor of {target}",
  "user.session_ended": "{actor} signed out another browser",
  "user.sign_in_failed": "A sign-in as {target} failed",
  "user.sign_in_link_created": "{actor} created a sign-in link for {target}",
  "user.signed_in": "{actor} signed in",
  "user.signed_out": "{actor} signed out",
  "user.signed_out_elsewhere": "{actor} signed out every other browser",
  "user.signed_out_everywhere": "{actor} signed out everywhere",
  "user.totp_disabled": "{actor} removed their authenticator app",
  "user.totp_enabled": "{actor} set up an authenticator app",
  "webhook.created": "{actor} created the webhook {target}",
  "webhook.deleted": "{actor} deleted the webhook {target}",
  "webhook.deliveries_replayed": "{actor} replayed deliveries of the webhook {target}",
  "webhook.disabled": "{actor} disabled the webhook {target}",
  "webhook.updated": "{actor} changed the webhook {target}",
}

/** Areas as people call them, by the beginning of their actions. */
export const auditAreas = [
  ["api_key", "API keys"],
  ["domain", "Domains"],
  ["broadcast", "Broadcasts"],
  ["template", "Templates"],
  ["email", "Emails"],
  ["topic", "Topics"],
  ["segment", "Segments"],
  ["contact", "Contacts and imports"],
  ["contact_property", "Contact properties"],
  ["suppression", "Suppressions"],
  ["webhook", "Webhooks"],
  ["inbound_route", "Inbound routes"],
  ["received_email", "Received email"],
  ["sandbox", "Sandbox mailbox"],
  ["user", "Sign-ins and accounts"],
  ["member", "Members"],
  ["invite", "Invites"],
  ["project", "Projects"],
  ["organization", "Organization"],
  ["installation", "First run"],
  ["operator", "Operators"],
  ["destination", "Destinations"],
  ["egress_address", "Sending addresses"],
  ["setup_row", "Set-up steps"],
  ["relay_test", "Relay tests"],
  ["loop_test", "Tests of delivery reports"],
] as const

/** An area, or one action of it. */
export function actionWords(action: string): string {
  const area = auditAreas.find(([value]) => value === action)?.[1]
  return area ?? plain(sentenceOf(action).replace("{actor}", "").replace("{target}", "…"))
}

function plain(text: string): string {
  const trimmed = text.trim()
  return trimmed.charAt(0).toUpperCase() + trimmed.slice(1)
}

export type AuditSentencePart = { text: string } | { part: "actor" | "target" }

/** The sentence of an entry in its parts; without a target that nobody can name, its place is left out. */
export function sentenceParts(action: string): AuditSentencePart[] {
  return sentenceOf(action)
    .split(/(\{actor\}|\{target\})/)
    .filter((text) => text !== "")
    .map((text) => (text === "{actor}" ? { part: "actor" } : text === "{target}" ? { part: "target" } : { text }))
}

/** What a release after or long before this one has written is named by its code. */
function sentenceOf(action: string): string {
  return (sentences as Record<string, string>)[action] ?? `{actor} did ${action.replaceAll(/[._]/g, " ")}: {target}`
}

const actors: Record<string, string> = {
  operator: "The operator",
  system: "The service",
  recipient: "A recipient",
  key: "A deleted API key",
  user: "A deleted user",
}

/** Who did it: people by their address, keys by their name. */
export function actorWords({ kind, name }: { kind: string; name?: string | undefined }): string {
  if (name !== undefined) return kind === "key" ? `API key ${name}` : name
  return actors[kind] ?? kind
}
