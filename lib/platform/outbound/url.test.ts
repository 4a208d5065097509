import fc from "fast-check"
import { describe, expect, test } from "vitest"
import { createReach } from "@/lib/platform/networks"
import { judgeUrl } from "@/lib/platform/outbound/target"

const open = { reach: createReach([]), allowsPrivate: false }
const networks = [
  { address: "127.0.0.0", prefix: 8 },
  { address: "10.1.0.0", prefix: 16 },
  { address: "fd00::", prefix: 8 },
]
const home = { reach: createReach(networks), allowsPrivate: true }

const loopbacks = [
  "127.1",
  "127.0.0.1",
  "127.0.0.1.",
  "2130706433",
  "0x7f.0x0.0x0.0x1",
  "0x7f000001",
  "017700000001",
  "0177.0.0.01",
  "①②⑦.⓪.⓪.①",
  "127。0。0。1",
  "127.0.0.%31",
  "[::ffff:7f00:1]",
  "[::ffff:127.0.0.1]",
]

const others = [
  "[::1]",
  "[0:0:0:0:0:0:0:1]",
  "[::]",
  "0",
  "0.0.0.0",
  "[::7f00:1]",
  "[64:ff9b::7f00:1]",
  "[64:ff9b:1::1]",
  "[2002:7f00:1::]",
  "[2001:0:7f00:1::]",
  "[2001:db8::1]",
  "[3fff::1]",
  "[fd00:ec2::254]",
  "[fe80::1]",
  "[fec0::1]",
  "[ff02::1]",
  "[100::1]",
  "169.254.169.254",
  "100.64.0.1",
  "10.0.0.1",
  "172.16.0.1",
  "172.31.255.255",
  "192.168.1.1",
  "192.0.0.1",
  "192.0.2.1",
  "192.88.99.1",
  "198.18.0.1",
  "198.51.100.1",
  "203.0.113.1",
  "224.0.0.1",
  "240.0.0.1",
  "255.255.255.255",
]

describe("the URL of a webhook", () => {
  test.each([...loopbacks, ...others])(
    "is refused at the address %s, by http and https, with a port and without",
    (host) => {
      for (const url of [`http://${host}/`, `https://${host}/x`, `https://${host}:8443/`]) {
        expect(judgeUrl(url, open).ok, url).toBe(false)
      }
    },
  )

  test.each([
    "localhost",
    "localhost.",
    "LOCALHOST",
    "app.localhost",
    "printer",
    "nas.local",
    "db.internal",
    "x.home.arpa",
  ])("is refused at the name %s", (host) => expect(judgeUrl(`https://${host}/x`, open).ok).toBe(false))

  test.each([
    "http:\\\\127.0.0.1\\x",
    "https:\\\\example.com\\x",
    "https://example.com\\@127.0.0.1/",
    " https://example.com/",
    "https://exam\nple.com/",
    "https://example.com/a b",
    "file:///etc/passwd",
    "gopher://example.com/",
    "ftp://example.com/",
    "javascript:alert(1)",
    "data:text/plain,x",
    "unix:/var/run/docker.sock",
    "//example.com/",
    "example.com",
    "",
    "https://",
    "https://[::1",
    "https://256.1.1.1/",
    "https://a:b@example.com/",
    "https://a@example.com/",
    "http://example.com/",
    "https://example.com:25/",
    "https://example.com:22/",
    "https://example.com:0/",
    "https://example.com:5432/",
    "https://example.com:6379/",
    "https://example.com:65536/",
    "http://8.8.8.8/",
    `https://example.com/${"a".repeat(2_048)}`,
  ])("is refused as %j", (url) => {
    expect(judgeUrl(url, open)).toMatchObject({ ok: false, reason: expect.stringMatching(/^The URL must .*\.$/s) })
  })

  test.each([
    "https://example.com",
    "https://example.com/hooks?project=1",
    "https://example.com:8443/x",
    "https://bücher.example/x",
    "https://8.8.8.8/x",
    "https://[2606:4700:4700::1111]/x",
    "https://example.com./x",
  ])("is taken as %s", (url) => expect(judgeUrl(url, open)).toMatchObject({ ok: true }))

  test("may name an address of an allowed network, by http too, and no other private one", () => {
    for (const host of [...loopbacks, "10.1.2.3", "[fd12::1]", "localhost"])
      for (const scheme of ["http", "https"]) expect(judgeUrl(`${scheme}://${host}:9000/x`, home).ok, host).toBe(true)
    for (const host of ["10.2.0.1", "169.254.169.254", "[fe80::1]", "192.168.0.1", "[::]", "0.0.0.0"])
      expect(judgeUrl(`http://${host}:9000/x`, home).ok, host).toBe(false)
    expect(judgeUrl("http://8.8.8.8/", home).ok).toBe(false)
  })
})

describe("addresses", () => {
  test("every IPv4 address is judged alike in all its IPv6 forms that name it", () => {
    fc.assert(
      fc.property(fc.ipV4(), (address) => {
        const hex = address.split(".").map((part) => Number(part).toString(16).padStart(2, "0"))
        const mapped = `::ffff:${hex[0]}${hex[1]}:${hex[2]}${hex[3]}`
        expect(open.reach(mapped)).toBe("refused")
        expect(home.reach(mapped) === "allowed").toBe(home.reach(address) === "allowed")
      }),
    )
  })

  test.each(["", "example.com", "fe80::1%eth0", "127.1", "::ffff:999.1.1.1"])(
    "%j is none that may be reached",
    (text) => {
      expect(home.reach(text)).toBe("refused")
    },
  )
})
