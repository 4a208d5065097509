import { personAddress } from "@/lib/addresses/person-address"
import { hashPassword } from "@/lib/access/credentials/passwords"
import { sha256 } from "@/lib/platform/crypto"
import { publicEndpoint } from "@/lib/platform/http/endpoint"
import { requestInvalid } from "@/lib/platform/http/problems"
import { setUpClosed } from "@/lib/projects/problems"
import { SetUp, SetUpDone } from "@/lib/projects/set-up-schema"
import { setUpIsOpen, setUpOnce } from "@/lib/projects/creation-store"

export const setUp = publicEndpoint({
  route: "POST /v1/setup",
  operationId: "setUp",
  tag: "Session",
  summary: "First-run set-up",
  description:
    "Creates the owner, the organization and the first project, once, with the token from the link that the start command printed.",
  access: { credential: "none" },
  bucket: null,
  body: SetUp,
  answers: [201, SetUpDone],
  problems: [requestInvalid, setUpClosed],
  additive: true,
  example: {
    body: {
      token: "the token of the link",
      name: "Ada Lovelace",
      email: "ada@lovelace.example",
      password: "a long password",
      organization: "Acme",
      project: { name: "Shop", slug: "shop", region: "eu-west-1" },
    },
  },

  async run(_, { body }) {
    const tokenHash = sha256(body.token)
    if (!(await setUpIsOpen(tokenHash))) throw setUpClosed()
    const email = personAddress(body.email)
    if (!email)
      throw requestInvalid(undefined, { errors: [{ pointer: "/email", detail: "Must be an email address." }] })
    const { name, organization, project } = body
    const passwordHash = await hashPassword(body.password)
    const done = await setUpOnce(tokenHash, { email, name, passwordHash, organization, project })
    if (!done) throw setUpClosed()
    return { organizationId: done.organizationId, projectId: done.projectId }
  },
})
