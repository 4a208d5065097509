import { findProgram } from "@/lib/cli/checks/debian"

const servers = ["swift-proxy-server", "swift-account-server", "swift-container-server", "swift-object-server"]
const programs = [...servers, "swift-ring-builder"]

/** OpenStack Swift, the S3 server of the long tests: what is missing of it is installed now. */
export function findSwift() {
  const debianPackages = servers.map((name) => name.replace("-server", ""))
  for (const name of programs) {
    findProgram({ names: [name], debianPackages, purpose: "the long tests of the storage against a strict S3 server" })
  }
}
