import type { Seeded } from "@/lib/demo/seeded"

export type DemoPerson = { name: string; first: string; last: string; address: string }

const firsts = [
  "Ada",
  "Amir",
  "Anneke",
  "Astrid",
  "Bao",
  "Beatriz",
  "Bram",
  "Camille",
  "Chidi",
  "Clara",
  "Dara",
  "Diego",
  "Elif",
  "Emma",
  "Esther",
  "Farid",
  "Femke",
  "Finn",
  "Grace",
  "Hana",
  "Hugo",
  "Imani",
  "Ines",
  "Jakob",
  "Jonas",
  "Kaito",
  "Laila",
  "Lena",
  "Leo",
  "Lucia",
  "Mads",
  "Maya",
  "Mei",
  "Milan",
  "Nadia",
  "Noah",
  "Nora",
  "Olga",
  "Omar",
  "Priya",
  "Rafael",
  "Rosa",
  "Ruben",
  "Sara",
  "Sofia",
  "Tariq",
  "Thandi",
  "Tomas",
  "Yara",
  "Zoe",
]
const lasts = [
  "Abebe",
  "Andersen",
  "Bakker",
  "Bauer",
  "Berg",
  "Carvalho",
  "Chen",
  "Costa",
  "Dubois",
  "Eriksen",
  "Fischer",
  "Garcia",
  "Haddad",
  "Hansen",
  "Ivanov",
  "Jansen",
  "Kaya",
  "Khan",
  "Kovacs",
  "Larsen",
  "Lefevre",
  "Lindqvist",
  "Lopez",
  "Marino",
  "Meyer",
  "Moreau",
  "Mwangi",
  "Nakamura",
  "Nguyen",
  "Novak",
  "Okafor",
  "Olsen",
  "Pereira",
  "Petrov",
  "Rossi",
  "Santos",
  "Sato",
  "Schmidt",
  "Silva",
  "Tanaka",
  "Vermeer",
  "Virtanen",
  "Visser",
  "Weber",
  "Yilmaz",
  "Zhang",
]
/** Providers of mailboxes, in the share that each has of them. No name here can belong to anybody (RFC 2606). */
const hosts = [
  ...Array.from({ length: 9 }, () => "postbox.example"),
  ...Array.from({ length: 5 }, () => "inbox.example"),
  ...Array.from({ length: 3 }, () => "lakeside-mail.example"),
  ...[
    "northgate.example",
    "oakhill-school.example",
    "bakker-en-zoon.example",
    "uni-brennbach.example",
    "studio-marino.example",
  ],
]

/** A customer who asks why her invoice did not arrive. */
export const ann: DemoPerson = {
  first: "Ann",
  last: "Bauer",
  name: "Ann Bauer",
  address: "ann.bauer@northgate.example",
}

/** Customers, each with an address of their own. */
export function customers(count: number, random: Seeded): DemoPerson[] {
  const taken = new Set<string>()
  return Array.from({ length: count }, () => {
    const [first, last, host] = [random.pick(firsts), random.pick(lasts), random.pick(hosts)]
    const local = random.pick([`${first}.${last}`, `${first[0]}${last}`, `${last}.${first}`]).toLowerCase()
    let address = `${local}@${host}`
    for (let turn = 2; taken.has(address); turn++) address = `${local}${turn}@${host}`
    taken.add(address)
    return { first, last, name: `${first} ${last}`, address }
  })
}
