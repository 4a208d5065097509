import { buckets } from "@/lib/access/limits/data"
import { allow } from "@/lib/access/permissions"
import { projectMissing } from "@/lib/access/problems"
import * as properties from "@/lib/contact-properties/data"
import {
  contactsRead,
  propertiesMax,
  type PropertyType,
  valueCharsShown,
  valueFault,
  valuesShown,
} from "@/lib/contact-properties/rules"
import {
  ContactProperty,
  ContactPropertyChange,
  ContactPropertyPage,
  ContactPropertyValues,
  NewContactProperty,
  propertyMissing,
  propertyTaken,
} from "@/lib/contact-properties/schema"
import { formatNumber } from "@/lib/platform/format"
import { endpoint } from "@/lib/platform/http/endpoint"
import { page, pageQuery } from "@/lib/platform/http/paging"
import { requestInvalid } from "@/lib/platform/http/problems"
import { limitReached } from "@/lib/projects/schema"

export const listContactProperties = endpoint({
  route: "GET /v1/projects/{projectId}/contact-properties",
  operationId: "listContactProperties",
  tag: "Contact properties",
  summary: "List contact properties",
  description: "The properties of the project, newest first.",
  access: allow("contacts:read"),
  bucket: buckets.contactProperties,
  query: pageQuery(),
  answers: [200, ContactPropertyPage],
  problems: [projectMissing],

  async run(scope, { query }) {
    const { data, total } = await properties.listProperties(scope, query)
    return page(query, data, total)
  },
})

export const createContactProperty = endpoint({
  route: "POST /v1/projects/{projectId}/contact-properties",
  operationId: "createContactProperty",
  tag: "Contact properties",
  summary: "Define contact property",
  description:
    "Key and type are permanent. Values are stored and returned as text, which templates, exports and webhooks show unchanged: a `number` is decimal text, such as `42` or `-1.5`, a `boolean` is `true` or `false`, and a `date` is a day of the calendar without a time, such as `2026-03-31`. Imports also accept other common formats of them. A key that the filter of a segment names, of a property that was deleted, is 409 until that filter is changed. A project has at most 500 properties.",
  access: allow("contacts:write"),
  bucket: buckets.contactProperties,
  body: NewContactProperty,
  answers: [201, ContactProperty],
  location: "/v1/projects/{projectId}/contact-properties/{id}",
  problems: [requestInvalid, limitReached, projectMissing, propertyTaken],
  example: { body: { key: "plan", type: "string", fallbackValue: "free" } },

  async run(scope, { body }) {
    const fault = body.fallbackValue === undefined ? null : valueFault(body.type, body.fallbackValue)
    if (fault) throw requestInvalid(fault, { errors: [{ pointer: "/fallbackValue", detail: fault }] })
    if ((await properties.countProperties(scope)) >= propertiesMax) {
      throw limitReached(
        `A project has at most ${propertiesMax} contact properties. Delete one that is no longer used.`,
      )
    }
    const naming = await properties.findSegmentOfDeleted(scope, body.key)
    if (naming !== null) {
      throw propertyTaken(
        `The filter of the segment ${naming} names a deleted property with the key ${body.key}. Change that filter first: with the new property it would match other contacts.`,
      )
    }
    const property = await properties.addProperty(scope, body)
    if (!property) {
      throw propertyTaken(
        `The key ${body.key} is taken, or its former property was deleted a moment ago and its values are still being removed.`,
      )
    }
    return property
  },
})

export const getContactProperty = endpoint({
  route: "GET /v1/projects/{projectId}/contact-properties/{propertyId}",
  operationId: "getContactProperty",
  tag: "Contact properties",
  summary: "Get contact property",
  description: "One property with its type and the fallback value for contacts without one.",
  access: allow("contacts:read"),
  bucket: buckets.contactProperties,
  path: { propertyId: { prefix: "prop", missing: propertyMissing } },
  answers: [200, ContactProperty],
  problems: [projectMissing, propertyMissing],

  async run(scope, { path }) {
    const property = await properties.findProperty(scope, path.propertyId)
    if (!property) throw propertyMissing()
    return property
  },
})

export const updateContactProperty = endpoint({
  route: "PATCH /v1/projects/{projectId}/contact-properties/{propertyId}",
  operationId: "updateContactProperty",
  tag: "Contact properties",
  summary: "Change property fallback",
  description: "Only the fallback value can change. If omitted it is unchanged; `null` clears it.",
  access: allow("contacts:write"),
  bucket: buckets.contactProperties,
  path: { propertyId: { prefix: "prop", missing: propertyMissing } },
  body: ContactPropertyChange,
  answers: [200, ContactProperty],
  problems: [requestInvalid, projectMissing, propertyMissing],
  example: { body: { fallbackValue: "trial" } },

  async run(scope, { path, body }) {
    const property = await properties.findProperty(scope, path.propertyId)
    if (!property) throw propertyMissing()
    const { fallbackValue } = body
    if (fallbackValue === undefined) return property
    const fault = fallbackValue === null ? null : valueFault(property.type as PropertyType, fallbackValue)
    if (fault) throw requestInvalid(fault, { errors: [{ pointer: "/fallbackValue", detail: fault }] })
    const changed = await properties.setFallback(scope, path.propertyId, fallbackValue)
    if (!changed) throw propertyMissing()
    return changed
  },
})

export const listContactPropertyValues = endpoint({
  route: "GET /v1/projects/{projectId}/contact-properties/{propertyId}/values",
  operationId: "listContactPropertyValues",
  tag: "Contact properties",
  summary: "List frequent values",
  description: `The ${valuesShown} most frequent values of a property among the newest ${formatNumber(contactsRead)} contacts, the most frequent first, to choose one for a filter. Values of more than ${valueCharsShown} characters are left out.`,
  access: allow("contacts:read"),
  bucket: buckets.contactProperties,
  path: { propertyId: { prefix: "prop", missing: propertyMissing } },
  answers: [200, ContactPropertyValues],
  problems: [projectMissing, propertyMissing],
  additive: true,

  async run(scope, { path }) {
    const values = await properties.frequentValues(scope, path.propertyId)
    if (!values) throw propertyMissing()
    return values
  },
})

export const contactPropertyOperations = [
  listContactProperties,
  createContactProperty,
  getContactProperty,
  updateContactProperty,
  listContactPropertyValues,
] as const
