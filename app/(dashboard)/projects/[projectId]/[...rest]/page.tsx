import { notFound } from "next/navigation"

/** An unknown path below a project is reported inside the project's layout, so that its navigation stays usable. */
export default function NoSuchPage() {
  notFound()
}
