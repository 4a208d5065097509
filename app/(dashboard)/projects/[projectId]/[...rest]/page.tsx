import { notFound } from "next/navigation"

/** An address below a project that no page has: it is told inside the project, whose navigation leads on. */
export default function NoSuchPage() {
  notFound()
}
