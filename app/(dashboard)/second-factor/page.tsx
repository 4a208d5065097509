import type { Metadata } from "next"
import { redirect } from "next/navigation"
import { signedIn } from "@/app/(dashboard)/signed-in"
import { Prefetch } from "@/components/data/prefetch"
import { passkeys, secondFactor } from "@/components/settings/queries"
import { RequiredSecondFactor } from "@/components/settings/second-factor"
import { landingPath } from "@/lib/access/rules"

export const metadata: Metadata = { title: "Set up two-factor authentication" }

type Props = { searchParams: Promise<Record<string, string | string[] | undefined>> }

/** Where members of an organization that requires a second factor set one up, before they see its projects. */
export default async function SecondFactorPage({ searchParams }: Props) {
  const { callbackUrl } = await searchParams
  const wanted = landingPath(typeof callbackUrl === "string" ? callbackUrl : null)
  const { user, organizations } = await signedIn()
  const requiring = organizations.filter(({ secondFactorNeeded }) => secondFactorNeeded).map(({ name }) => name)
  if (!requiring.length) redirect(wanted)
  return (
    <Prefetch queries={[secondFactor(), passkeys()]}>
      <RequiredSecondFactor
        email={user.email}
        organizations={requiring}
        wanted={wanted}
        hasOthers={organizations.some(({ projects }) => projects.length > 0)}
      />
    </Prefetch>
  )
}
