import { allowOperator } from "@/lib/access/permissions"
import { findOperatorMail, listOperatorMails as listMails } from "@/lib/inbound/data"
import { readOperatorMail } from "@/lib/inbound/operator-mail"
import { operatorMailMissing } from "@/lib/inbound/problems"
import { OperatorMailDetail, OperatorMailPage } from "@/lib/inbound/schema"
import { organizationEndpoint, Reply } from "@/lib/platform/http/endpoint"
import { page, pageQuery } from "@/lib/platform/http/paging"
import { pathNotFound } from "@/lib/platform/http/problems"
import { present } from "@/lib/platform/schema"

const shared = { tag: "Operator", access: allowOperator(), bucket: null, additive: true } as const
const onlyForOperators = "For who runs the installation; to everybody else nothing lives here."
const path = { mailId: { prefix: "inb", missing: operatorMailMissing } } as const

export const listOperatorMails = organizationEndpoint({
  ...shared,
  route: "GET /v1/operator/mails",
  operationId: "listOperatorMails",
  summary: "List the operator's mail",
  description: `What came to \`postmaster@\`, \`abuse@\` and \`fbl@\` of the service, newest first, such as complaints of people and the codes with which
feedback loops are enrolled. Mail is kept for 30 days. ${onlyForOperators}`,
  query: pageQuery(),
  answers: [200, OperatorMailPage],
  problems: [pathNotFound],

  async run(_, { query }) {
    const { data, total } = await listMails(query)
    return page(query, data, total)
  },
})

export const getOperatorMail = organizationEndpoint({
  ...shared,
  route: "GET /v1/operator/mails/{mailId}",
  operationId: "getOperatorMail",
  summary: "Get a mail of the operator",
  description: `One mail with its text, headers and the names of its attachments. ${onlyForOperators}`,
  path,
  answers: [200, OperatorMailDetail],
  problems: [operatorMailMissing, pathNotFound],

  async run(_, { path: { mailId } }) {
    const mail = await findOperatorMail(mailId)
    if (!mail) throw operatorMailMissing()
    const { raw, tls, ...rest } = mail
    return { ...rest, tls: present(tls), ...readOperatorMail(raw) }
  },
})

export const getOperatorMailRaw = organizationEndpoint({
  ...shared,
  route: "GET /v1/operator/mails/{mailId}/raw",
  operationId: "getOperatorMailRaw",
  summary: "Get a mail of the operator as it arrived",
  description: `The message (RFC 5322), byte for byte. ${onlyForOperators}`,
  path,
  answers: [200, undefined, "message/rfc822"],
  problems: [operatorMailMissing, pathNotFound],

  async run(_, { path: { mailId } }) {
    const mail = await findOperatorMail(mailId)
    if (!mail) throw operatorMailMissing()
    return new Reply(200, {
      stream: new Uint8Array(mail.raw),
      headers: {
        "Content-Type": "message/rfc822",
        "Content-Disposition": 'attachment; filename="message.eml"',
        "Content-Security-Policy": "sandbox; default-src 'none'",
        "X-Content-Type-Options": "nosniff",
      },
    })
  },
})

export const operatorMailOperations = [listOperatorMails, getOperatorMail, getOperatorMailRaw] as const
