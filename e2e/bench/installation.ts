import { spawn } from "node:child_process"
import { freePorts, newDataDir, removeData, stopping, unset } from "@/e2e/bench/stage"

export type Installation = { pid: number; stop(): Promise<void> }

/** Starts everything as an operator does, in a cloned folder, with separate data and ports; resolves when it prints that it is ready. */
export async function startInstallation(folder: string): Promise<Installation> {
  const dataDir = newDataDir()
  const [web, smtp, inbound, submission, submissionTls, dns, metrics] = await freePorts(7)
  const child = spawn(process.execPath, ["lib/cli/launch.mjs", "start"], {
    cwd: folder,
    env: {
      ...process.env,
      ...unset,
      DATA_DIR: dataDir,
      PORT: String(web),
      SANDBOX_SMTP_PORT: String(smtp),
      SANDBOX_DNS_PORT: String(dns),
      INBOUND_PORT: String(inbound),
      SUBMISSION_PORT: String(submission),
      SUBMISSION_TLS_PORT: String(submissionTls),
      METRICS_PORT: String(metrics),
    },
    stdio: ["ignore", "ignore", "pipe"],
  })
  const running = stopping(child)
  const stop = async () => {
    if (child.exitCode === null) await running.stop()
    removeData(dataDir)
  }
  try {
    let said = ""
    await new Promise<void>((resolve, reject) => {
      child.stderr.on("data", (text: Buffer) => {
        said += text.toString()
        if (said.includes("Mailroom is ready")) resolve()
      })
      child.once("exit", () => reject(new Error(`The installation did not start:\n${said}`)))
    })
    return { pid: child.pid ?? 0, stop }
  } catch (error) {
    await stop()
    throw error
  }
}
