/** What the guide needs to know of the project and the person. */
export type GuideFor = {
  projectId: string
  /** Of the installation, whose own DNS answers for it at once; null where email leaves the machine. */
  testDomain: string | null
  region: string
  baseUrl: string
  person: { email: string; name?: string }
}
