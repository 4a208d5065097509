import { launchPostfix, type Postfix } from "@/e2e/support/postfix"

/** The port of a next hop on loopback, or `discard`: Postfix itself is the last server and throws the mail away. */
export type NextHop = number | "discard"

/**
 * Starts Postfix as the relay of a region on `port` of loopback: it takes mail for everybody, sends the mail for recipients that match
 * a pattern to its next hop, and writes bounces, delays and reports of success as by default.
 */
export function startPostfix(port: number, routes: readonly [pattern: RegExp, nextHop: NextHop][]): Promise<Postfix> {
  const transport = routes.map(
    ([pattern, to]) => `${pattern.toString()} ${to === "discard" ? "discard:" : `smtp:[127.0.0.1]:${to}`}\n`,
  )
  return launchPostfix({
    listeners: [`127.0.0.1:${port} inet n - n - - smtpd\n`],
    files: { transport: transport.join("") },
    main: {
      myhostname: "relay.lab.test",
      transport_maps: "regexp:$folder/transport",
      smtp_tls_security_level: "may",
      disable_dns_lookups: "yes",
      smtp_host_lookup: "native",
      minimal_backoff_time: "2s",
      queue_run_delay: "2s",
      delay_warning_time: "2s",
    },
  })
}
