type Place = { kind: string; path: string }

/** What has a page of its own, by the prefix of its id. */
const places: Record<string, Place> = {
  email: { kind: "Email", path: "emails" },
  con: { kind: "Contact", path: "contacts" },
  seg: { kind: "Segment", path: "segments" },
  top: { kind: "Topic", path: "topics" },
  dom: { kind: "Domain", path: "domains" },
  whk: { kind: "Webhook", path: "webhooks" },
  key: { kind: "API key", path: "api-keys" },
  bc: { kind: "Broadcast", path: "broadcasts" },
  tpl: { kind: "Template", path: "templates" },
  imp: { kind: "Import", path: "contacts/imports" },
  inb: { kind: "Received email", path: "inbound" },
  inr: { kind: "Inbound route", path: "inbound/routes" },
  req: { kind: "Request", path: "logs" },
}

/** What a public id names and its page in the project, or null where it names nothing with a page. */
export function objectPage(projectId: string, id: string): { kind: string; href: string } | null {
  const [, prefix = ""] = /^([a-z]{2,5})_[0-9a-z]{26}$/.exec(id) ?? []
  const place = Object.hasOwn(places, prefix) ? places[prefix] : undefined
  return place ? { kind: place.kind, href: `/projects/${projectId}/${place.path}/${id}` } : null
}
